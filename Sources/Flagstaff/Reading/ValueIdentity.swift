import FlagLocking
import FlagModel

/// A served value together with its stable hash, which is computed when somebody asks, and once.
final class ValueIdentity: Sendable {
    private let value: FlagValue
    private let known: Lock<String?>

    /// The identity of a value that a flag serves.
    init(of value: FlagValue) {
        self.value = value
        known = Lock(nil)
    }

    /// An identity that is known already.
    init(id: String) {
        value = .null
        known = Lock(id)
    }

    /// The hash: 22 digits and letters.
    var id: String {
        known.withLock { known in
            if let known { return known }
            let id = ValueID.text(of: value)
            known = id
            return id
        }
    }
}
