package import Flagstaff
import Foundation

extension Configuration {
    /// A client that does what this configuration asks for; it is not started.
    ///
    /// - Parameters:
    ///   - context: Whom flags are evaluated for.
    ///   - storage: Where values and reports are stored. Default: where the native client stores them.
    /// - Throws: ``QuonfigInitError/missingSDKKey`` for a blank key.
    /// - Returns: The client.
    func makeClient(for context: QuonfigContext, storage: (any FlagStorage)? = nil) throws -> Quonfig {
        if sdkKey.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty {
            throw QuonfigInitError.missingSDKKey
        }
        let logger = logger
        var configuration = FlagClientConfiguration(endpoint: Self.deployed(logger), key: sdkKey)
        apply(to: &configuration, logger: logger)
        configuration.storage = storage
        let addresses = addresses(logger)
        // Whatever is wrong, an app goes on with its defaults: what cannot work is left out, and said.
        let attempts: [(inout FlagClientConfiguration) -> Void] = [
            { configuration in
                configuration.endpoint = addresses[0]
                configuration.fallbackEndpoints = Array(addresses.dropFirst())
            },
            { $0.telemetry.url = nil },
            { $0.key = nil },
            { configuration in
                configuration.key = sdkKey
                configuration.endpoint = Self.deployed(logger)
                configuration.fallbackEndpoints = []
            },
            { $0.key = nil },
        ]
        for change in attempts {
            change(&configuration)
            do {
                return Quonfig(
                    try FlagClient(configuration), context: context, logger: logger,
                    updateLimit: Double(addresses.count) * configuration.requestTimeout + 5)
            } catch {
                logger.error("the configuration cannot work as it is: \(error)")
            }
        }
        preconditionFailure("a client without a key at the deployed address can always be made")
    }

    /// Sets all but where the service is and what is stored where.
    package func apply(to configuration: inout FlagClientConfiguration, logger: any FlagLogger) {
        // Written so that what is no number polls as often as by default.
        let interval = pollInterval >= 0 ? pollInterval : 60
        configuration.sync = .polling(every: interval == 0 ? .infinity : interval)
        configuration.contextSwitch = .cachedElseDefaults
        configuration.background = .automatic
        configuration.foregroundRefresh = .always
        configuration.refusal = .slowDown
        configuration.coercion = .quonfig
        configuration.cache = .disk(contexts: 10)
        configuration.requestTimeout =
            [requestTimeout, resourceTimeout].compactMap { $0 }.filter { $0 > 0 }.min() ?? 10
        configuration.sessionConfiguration = sessionConfiguration
        configuration.headerProvider = customHeaders
        configuration.logger = logger
        configuration.telemetry = telemetry
    }

    private var telemetry: FlagTelemetryPolicy {
        guard collectEvaluationSummaries else { return .off }
        var policy = FlagTelemetryPolicy.standard
        switch collectContextMode {
        case .none: policy.contexts = .none
        case .shapeOnly: policy.contexts = .shapes
        case .periodicExample: policy.contexts = .examples
        }
        policy.flushInterval = telemetryFlushInterval
        policy.timeout = telemetryTimeout
        policy.maxRetainedBatches = telemetryMaxRetainedBatches
        policy.maxRetainedBytes = telemetryMaxRetainedBytes
        policy.maxRetainedAge = telemetryMaxRetainedAge
        policy.maxSummaries = telemetryMaxEvaluationSummaries
        policy.awaitsReportInFlight = false
        policy.url = telemetryURL?.appendingPathComponent("api/v1/telemetry")
        return policy
    }

    /// The service's addresses, as the code names them, else the one where it was deployed; never none.
    func addresses(_ logger: any FlagLogger) -> [URL] {
        if let apiURLs {
            if !apiURLs.isEmpty { return apiURLs }
            logger.error("`apiURLs` is empty: name an address, or leave it out")
        }
        let domain = domain.trimmingCharacters(in: .whitespacesAndNewlines)
        if domain == Self.defaultDomain { return [Self.deployed(logger)] }
        if let url = URL(string: "https://\(domain)"), url.host?.isEmpty == false,
            url.path.isEmpty || url.path == "/",
            url.user == nil, url.query == nil, url.fragment == nil
        {
            return [url]
        }
        logger.error(
            "the domain '\(domain)' is none, such as flags.example.com: the address where the app was deployed is used"
        )
        return [Self.deployed(logger)]
    }

    private static func deployed(_ logger: any FlagLogger) -> URL {
        FlagClientConfiguration.deployedEndpoint(logger: logger)
    }

    /// Where the native client says what fails.
    var logger: any FlagLogger {
        if let logSink { return SinkLogger(sink: logSink) }
        #if canImport(os)
            return SystemLog()
        #else
            return StandardErrorLogger()
        #endif
    }
}

#if canImport(os)
    /// Writes warnings and errors of the native client, which hold nothing personal, to the system log.
    private struct SystemLog: FlagLogger {
        let level = FlagLogLevel.warning
        private let sink = SystemLogSink(subsystem: "com.quonfig.sdk", category: "Telemetry", isPublic: true)

        func log(_ level: FlagLogLevel, _ message: String) {
            switch level {
            case .debug: sink.emit(.debug, message)
            case .info: sink.emit(.info, message)
            case .warning: sink.emit(.warn, message)
            case .error: sink.emit(.error, message)
            }
        }
    }
#endif

/// Hands warnings and errors of the native client to the app's sink.
private struct SinkLogger: FlagLogger {
    let sink: any QuonfigLogSink
    let level = FlagLogLevel.warning

    func log(_ level: FlagLogLevel, _ message: String) {
        switch level {
        case .debug: sink.emit(level: .debug, message: message)
        case .info: sink.emit(level: .info, message: message)
        case .warning: sink.emit(level: .warn, message: message)
        case .error: sink.emit(level: .error, message: message)
        }
    }
}
