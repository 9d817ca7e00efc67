/// Whom flags are evaluated for: attributes in namespaces, such as `user` and `device`.
public struct QuonfigContext: Sendable, Equatable {
    /// The namespaces, each with its attributes.
    public var namespaces: [String: [String: ContextValue]]

    /// Makes a context.
    ///
    /// - Parameter namespaces: The namespaces, each with its attributes. Default: none.
    public init(_ namespaces: [String: [String: ContextValue]] = [:]) {
        self.namespaces = namespaces
    }
}
