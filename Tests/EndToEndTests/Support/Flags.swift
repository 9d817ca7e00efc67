import FlagModel
import Flagstaff

/// The flags that the tests are about: they tell whom and which state a value belongs to.
enum Flags {
    /// How many users `mark` tells apart.
    static let users = 10

    /// Flags of the state with that number: `n` is the number, `half` half of it, so that it stays the same now and
    /// then, and `mark` names user and number.
    static func state(_ number: Int) -> [String: FlagValue] {
        let marks = (0..<users).map { ("user-\($0)", FlagValue.string(mark($0, number))) }
        return [
            "n": [
                "state": "ENABLED", "variants": ["x": .int(Int64(number))], "defaultVariant": "x",
            ],
            "half": [
                "state": "ENABLED", "variants": ["x": .int(Int64(number / 2))], "defaultVariant": "x",
            ],
            "mark": [
                "state": "ENABLED",
                "variants": .object(Dictionary(uniqueKeysWithValues: marks + [("nobody", "nobody")])),
                "defaultVariant": "nobody", "targeting": ["var": "user"],
            ],
        ]
    }

    /// The value of `mark` for a user in a state.
    static func mark(_ user: Int, _ number: Int) -> String { "user-\(user)/\(number)" }

    /// Whether a snapshot holds exactly what the service had for its context in one of the states up to a number,
    /// or nothing yet.
    static func isSound(_ snapshot: FlagSnapshot, upTo last: Int) -> Bool {
        if !snapshot.isReady { return snapshot.resolutions.isEmpty }
        let number = snapshot.value(for: "n", default: -1)
        guard (1...last).contains(number), case .string(let user)? = snapshot.context.attributes["user"]
        else {
            return false
        }
        return snapshot.keys == ["half", "mark", "n"]
            && snapshot.value(for: "half", default: -1) == number / 2
            && snapshot.value(for: "mark", default: "") == "\(user)/\(number)"
    }

    /// The context of a user.
    static func context(_ user: Int) -> FlagContext {
        FlagContext(key: "key-\(user)", attributes: ["user": .string("user-\(user)")])
    }
}
