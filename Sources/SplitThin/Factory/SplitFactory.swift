/// The key of an environment.
public struct SdkKey: Hashable, Sendable {
    /// The key: a client key of the flag service.
    let text: String

    /// Makes a key.
    ///
    /// - Parameter sdkKey: A client key of the flag service.
    public init(_ sdkKey: String) {
        text = sdkKey
    }
}

/// Makes the clients of an app, one for each target.
public protocol SplitFactory: AnyObject, Sendable {
    /// The client of the default target.
    var client: any SplitClient { get }

    /// The client of the default target.
    ///
    /// - Returns: The client.
    func getClient() -> any SplitClient

    /// The client of a target, made if there is none of its keys.
    ///
    /// Where there is one, it takes over the target's attributes and traffic type.
    ///
    /// - Parameter target: The target; `nil` for the default one.
    /// - Returns: The client.
    func getClient(_ target: Target?) -> any SplitClient

    /// What tells which flags there are.
    ///
    /// - Returns: The manager.
    func manager() -> any SplitManager

    /// Sends what waits to be sent, and ends all clients for good.
    func destroy() async
}

/// Tells which flags there are.
public protocol SplitManager: AnyObject {
    /// The names of the flags that are here, sorted; none before a client has values.
    ///
    /// - Returns: The names.
    func getFlagNames() -> [String]
}

/// Builds a factory.
public protocol SplitFactoryBuilder: AnyObject {
    /// Sets the key of the environment.
    ///
    /// - Parameter sdkKey: The key.
    /// - Returns: The builder.
    @discardableResult
    func setSdkKey(_ sdkKey: SdkKey) -> Self

    /// Sets the default target.
    ///
    /// - Parameter target: The target.
    /// - Returns: The builder.
    @discardableResult
    func setTarget(_ target: Target) -> Self

    /// Sets how the factory and its clients behave.
    ///
    /// - Parameter config: The configuration.
    /// - Returns: The builder.
    @discardableResult
    func setConfig(_ config: SplitClientConfig) -> Self

    /// Makes the factory, and starts the client of the default target.
    ///
    /// - Returns: The factory; `nil` where the key or the target is missing or empty, or an endpoint is no address, which is
    ///   logged.
    func build() -> (any SplitFactory)?
}
