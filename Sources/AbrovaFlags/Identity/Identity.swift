import Flagstaff

/// Who uses the app, as far as it has said.
struct Identity: Hashable, Sendable {
    /// The user; `nil` while nobody is signed in.
    var userID: String?
    /// What the app knows of the user.
    var attributes: [String: FlagValue] = [:]

    /// What rules can look at: the id of the installation comes with every request under this name.
    static let anonymousIDName = "anonymousId"

    /// What the service is told: rollouts follow the user, or the installation while nobody is signed in.
    func context(anonymousID: String) -> FlagContext {
        FlagContext(
            key: userID ?? anonymousID, isAnonymous: userID == nil,
            attributes: attributes.merging([Self.anonymousIDName: .string(anonymousID)]) { $1 })
    }
}

extension Identity {
    /// Who was remembered.
    init(remembered: FlagContext?) {
        userID = remembered?.targetingKey
        attributes = remembered?.attributes ?? [:]
    }

    /// What to remember; `nil` for nothing.
    var remembered: FlagContext? {
        self == Identity() ? nil : FlagContext(key: userID, attributes: attributes)
    }
}
