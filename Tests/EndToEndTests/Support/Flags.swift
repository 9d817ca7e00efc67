import FlagModel
import Flagstaff

/// The flags that the tests are about: they tell whom and which state a value belongs to.
enum Flags {
    /// How many users `mark` tells apart.
    static let users = 10

    /// Flags of the state with that number: `n` is the number, `mark` names user and number.
    static func state(_ number: Int) -> [String: FlagValue] {
        let marks = (0..<users).map { ("user-\($0)", FlagValue.string(mark($0, number))) }
        return [
            "n": [
                "state": "ENABLED", "variants": ["x": .int(Int64(number))], "defaultVariant": "x",
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

    /// The context of a user.
    static func context(_ user: Int) -> FlagContext {
        FlagContext(key: "key-\(user)", attributes: ["user": .string("user-\(user)")])
    }
}
