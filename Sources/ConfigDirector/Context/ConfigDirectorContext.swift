/// Whom configs are evaluated for.
public struct ConfigDirectorContext: Sendable, Equatable, Encodable {
    /// Identifies the user: percentage rollouts follow it.
    ///
    /// While it is `nil`, they follow an id that the client makes for itself, which lives as long as the client.
    public var id: String?
    /// The user's name, which targeting rules can look at as `name`.
    public var name: String?
    /// What else targeting rules can look at, each by its own name.
    public var traits: [String: TraitValue]?
    /// Whether the user is not signed in, which targeting rules can look at as `anonymous`.
    public var isAnonymous: Bool?

    /// Makes a context.
    ///
    /// - Parameters:
    ///   - id: Identifies the user.
    ///   - name: The user's name.
    ///   - traits: What else targeting rules can look at.
    ///   - isAnonymous: Whether the user is not signed in.
    public init(
        id: String? = nil, name: String? = nil, traits: [String: TraitValue]? = nil, isAnonymous: Bool? = nil
    ) {
        self.id = id
        self.name = name
        self.traits = traits
        self.isAnonymous = isAnonymous
    }
}
