import Flagstaff

/// Builds a factory.
///
/// ```swift
/// let factory = DefaultSplitFactoryBuilder()
///     .setSdkKey(SdkKey("YOUR_SDK_KEY"))
///     .setTarget(Target(matchingKey: "CUSTOMER_ID", trafficType: "user"))
///     .build()
/// ```
public final class DefaultSplitFactoryBuilder: SplitFactoryBuilder {
    private var sdkKey: SdkKey?
    private var target: Target?
    private var config = SplitClientConfig()

    /// Makes a builder.
    public init() {}

    /// Sets the key of the environment.
    @discardableResult
    public func setSdkKey(_ sdkKey: SdkKey) -> Self {
        self.sdkKey = sdkKey
        return self
    }

    /// Sets the default target.
    @discardableResult
    public func setTarget(_ target: Target) -> Self {
        self.target = target
        return self
    }

    /// Sets how the factory and its clients behave.
    @discardableResult
    public func setConfig(_ config: SplitClientConfig) -> Self {
        self.config = config
        return self
    }

    /// Makes the factory, and starts the client of the default target.
    public func build() -> (any SplitFactory)? {
        let logger = config.logger
        func fail(_ why: String) -> (any SplitFactory)? {
            logger.error("no factory is made: \(why)")
            return nil
        }
        guard let key = sdkKey?.text, !key.trimmed.isEmpty else {
            return fail("the SDK key is missing or empty")
        }
        guard let target else { return fail("the target is missing") }
        guard !target.key.matchingKey.trimmed.isEmpty else {
            return fail("the target's matching key is empty")
        }
        guard let configuration = config.clientConfiguration(key: key, logger: logger) else { return nil }
        do {
            // Made once to see whether it can be: a transport and a socket come only with a start.
            _ = try FlagClient(configuration)
        } catch {
            return fail("\(error)")
        }
        return DefaultSplitFactory(target: target, settings: ClientSettings(config, logger: logger)) {
            try FlagClient(configuration)
        }
    }
}

/// A builder belongs to the code that builds with it.
@available(*, unavailable)
extension DefaultSplitFactoryBuilder: Sendable {}
