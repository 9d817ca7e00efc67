/// How a client is kept up to date.
public enum SyncMode: Sendable {
    /// Over a connection that stays open, with polls while there is none.
    case streaming
    /// By asking at an interval.
    case polling
    /// Once, at the start.
    case singleSync
}

/// How much is logged: messages of that level and more important ones.
public enum LogLevel: Sendable, CaseIterable {
    /// Nothing.
    case none
    /// Failures.
    case error
    /// What is coped with, and what is passed over.
    case warning
    /// What happens in the normal course.
    case info
    /// What helps those who look for a fault.
    case debug
    /// Everything.
    case verbose
}

/// How a factory and its clients behave; times are in seconds.
public struct SplitClientConfig: Sendable {
    /// How clients are kept up to date.
    ///
    /// Default ``SyncMode/streaming``.
    public internal(set) var syncMode = SyncMode.streaming
    /// Where the services are.
    ///
    /// Default: where the app was deployed.
    public internal(set) var serviceEndpoints: ServiceEndpoints?
    /// Whether treatments come with their configurations.
    ///
    /// Default `false`.
    public internal(set) var configsEnabled = false
    /// How much is logged.
    ///
    /// Default ``LogLevel/none``.
    public internal(set) var logLevel = LogLevel.none
    /// How often to ask while there is no stream, at least 60.
    ///
    /// Default 3600.
    public internal(set) var pollingRate = 3600
    /// How long until a client that is not ready says so; -1 for never.
    ///
    /// Default 10.
    public internal(set) var readyTimeout = 10
    /// Tells apart what is stored: 1 to 80 letters, digits and underscores.
    ///
    /// Default `nil`.
    public internal(set) var prefix: String?
    /// How often events and reports are sent, at least 30.
    ///
    /// Default 1800.
    public internal(set) var pushRate = 1800
    /// What stands for flags that cannot be evaluated.
    ///
    /// Default: `control`.
    public internal(set) var fallbackTreatments = FallbackTreatmentsConfig()
    /// Which flags are asked for.
    ///
    /// Default `nil`: all.
    public internal(set) var evaluationFilters: EvaluationFilters?

    init() {}

    /// Begins a configuration.
    ///
    /// - Returns: A builder.
    public static func builder() -> SplitConfigBuilder { SplitConfigBuilder() }
}

/// Builds a ``SplitClientConfig``.
public struct SplitConfigBuilder: Sendable {
    private var config = SplitClientConfig()

    /// Sets how clients are kept up to date.
    ///
    /// - Parameter syncMode: The mode.
    /// - Returns: The builder.
    public func set(syncMode: SyncMode) -> Self { setting(\.syncMode, syncMode) }

    /// Sets where the services are.
    ///
    /// - Parameter serviceEndpoints: The endpoints.
    /// - Returns: The builder.
    public func set(serviceEndpoints: ServiceEndpoints) -> Self {
        setting(\.serviceEndpoints, serviceEndpoints)
    }

    /// Sets whether treatments come with their configurations.
    ///
    /// - Parameter configsEnabled: Whether they do.
    /// - Returns: The builder.
    public func set(configsEnabled: Bool) -> Self { setting(\.configsEnabled, configsEnabled) }

    /// Sets how much is logged.
    ///
    /// - Parameter logLevel: The level.
    /// - Returns: The builder.
    public func set(logLevel: LogLevel) -> Self { setting(\.logLevel, logLevel) }

    /// Sets how often to ask while there is no stream.
    ///
    /// - Parameter pollingRate: The interval in seconds; less than 60 counts as 60.
    /// - Returns: The builder.
    public func set(pollingRate: Int) -> Self { setting(\.pollingRate, pollingRate) }

    /// Sets how long until a client that is not ready says so.
    ///
    /// - Parameter readyTimeout: The time in seconds; -1 for never, 0 and other negative numbers count as 10.
    /// - Returns: The builder.
    public func set(readyTimeout: Int) -> Self { setting(\.readyTimeout, readyTimeout) }

    /// Sets what tells apart what is stored.
    ///
    /// - Parameter prefix: 1 to 80 letters, digits and underscores; anything else is passed over.
    /// - Returns: The builder.
    public func set(prefix: String) -> Self { setting(\.prefix, prefix) }

    /// Sets how often events and reports are sent.
    ///
    /// - Parameter pushRate: The interval in seconds; less than 30 counts as 30.
    /// - Returns: The builder.
    public func set(pushRate: Int) -> Self { setting(\.pushRate, pushRate) }

    /// Sets what stands for flags that cannot be evaluated.
    ///
    /// - Parameter fallbackTreatments: The fallbacks.
    /// - Returns: The builder.
    public func set(fallbackTreatments: FallbackTreatmentsConfig) -> Self {
        setting(\.fallbackTreatments, fallbackTreatments)
    }

    /// Sets which flags are asked for.
    ///
    /// - Parameter evaluationFilters: The filters.
    /// - Returns: The builder.
    public func set(evaluationFilters: EvaluationFilters) -> Self {
        setting(\.evaluationFilters, evaluationFilters)
    }

    /// Ends the configuration.
    ///
    /// - Returns: The configuration.
    public func build() -> SplitClientConfig { config }

    private func setting<Value>(_ path: WritableKeyPath<SplitClientConfig, Value>, _ value: Value) -> Self {
        var copy = self
        copy.config[keyPath: path] = value
        return copy
    }
}
