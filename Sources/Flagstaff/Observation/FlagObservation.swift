/// Follows one flag of one client at a time, on the main actor: what views' properties and observable objects share.
///
/// It remembers what was shown, and says so only when there is something else to show.
@MainActor final class FlagObservation<Value: FlagConvertible> {
    /// What was read last; `nil` before the first ``follow(_:on:)``.
    private(set) var value: Value?
    /// Called before ``value`` changes by itself, and never from within ``follow(_:on:)``.
    var willChange: (@MainActor () -> Void)?
    /// Called after ``value`` has changed by itself.
    var didChange: (@MainActor (Value) -> Void)?

    private var key: FlagKey<Value>?
    private var client: FlagClient?
    private var token: FlagToken?

    nonisolated init() {}

    /// Reads the flag, and follows it from now on in place of what was followed before.
    ///
    /// The read is counted. Following the same flag of the same client again costs no more than the read.
    ///
    /// - Parameters:
    ///   - key: The flag.
    ///   - client: The client; `nil` for none, which gives the default.
    /// - Returns: The flag's value.
    @discardableResult
    func follow(_ key: FlagKey<Value>, on client: FlagClient?) -> Value {
        if key != self.key || client !== self.client {
            token?.cancel()
            // Registered before the read: a change in between is told again, and not missed.
            // It is not a read: what is shown is counted when it is read.
            token = client?.core.register(of: key, on: .main) { [weak self] evaluation in
                MainActor.assumeIsolated { self?.change(to: evaluation.value) }
            }
            self.key = key
            self.client = client
        }
        let value = client?[key] ?? key.defaultValue
        self.value = value
        return value
    }

    private func change(to value: Value) {
        // A view that was drawn for another reason shows it already.
        guard value != self.value else { return }
        willChange?()
        self.value = value
        didChange?(value)
    }
}
