package import Flagstaff
import Foundation

extension SplitClientConfig {
    /// What a native client is made with; `nil` where an address is none, which is logged.
    func clientConfiguration(key: String, logger: any FlagLogger) -> FlagClientConfiguration? {
        for address in [
            serviceEndpoints?.sdkEndpoint, serviceEndpoints?.eventsEndpoint,
            serviceEndpoints?.authServiceEndpoint,
            serviceEndpoints?.streamingServiceEndpoint, serviceEndpoints?.telemetryServiceEndpoint,
        ].compactMap({ $0 }) where Self.url(address) == nil {
            logger.error("a service endpoint is no absolute http or https URL: no factory is made")
            return nil
        }
        let endpoint = serviceEndpoints?.sdkEndpoint.flatMap(Self.url)
        var configuration = FlagClientConfiguration(
            endpoint: endpoint ?? FlagClientConfiguration.deployedEndpoint(logger: logger), key: key)
        apply(to: &configuration, logger: logger)
        configuration.telemetry.url = serviceEndpoints?.eventsEndpoint.flatMap(Self.url)?
            .appendingPathComponent("api/v1/telemetry")
        return configuration
    }

    /// Sets all but where the services are.
    package func apply(to configuration: inout FlagClientConfiguration, logger: any FlagLogger) {
        let polls = raised(pollingRate, to: 60, "polling rate", logger)
        switch syncMode {
        case .streaming: configuration.sync = .streaming
        case .polling: configuration.sync = .polling(every: polls)
        case .singleSync: configuration.sync = .once
        }
        configuration.fallbackInterval = polls
        configuration.contextSwitch = .dropAtOnce
        configuration.refusal = .stop
        let (sets, dropped) = FlagSetNames.check(evaluationFilters?.flagSets ?? [])
        if !dropped.isEmpty {
            logger.warning("no flag sets, and passed over: \(dropped.joined(separator: ", "))")
        }
        configuration.flagSets = sets
        configuration.telemetry.flushInterval = raised(pushRate, to: 30, "push rate", logger)
        configuration.telemetry.identifiesEvents = true
        configuration.telemetry.maxEvents = 5_000
        configuration.telemetry.maxEventsPerBatch = 500
        // Events are what experiments are made of: kept for a week without a network.
        configuration.telemetry.maxRetainedBatches = 100
        configuration.telemetry.maxRetainedBytes = 5_000_000
        configuration.telemetry.maxRetainedAge = 7 * 86_400
        if let prefix {
            if Self.isPrefix(prefix) {
                configuration.storageName = prefix
            } else {
                logger.error("the prefix is passed over: it must be 1 to 80 letters, digits and underscores")
            }
        }
        configuration.logger = logger
    }

    /// Where the native client says what it does.
    var logger: any FlagLogger {
        let level: FlagLogLevel
        switch logLevel {
        case .none: return SilentLogger()
        case .error: level = .error
        case .warning: level = .warning
        case .info: level = .info
        case .debug, .verbose: level = .debug
        }
        #if canImport(os)
            return SystemLogger(level: level)
        #else
            return StandardErrorLogger(level: level)
        #endif
    }

    private func raised(_ seconds: Int, to least: Int, _ what: String, _ logger: any FlagLogger) -> Double {
        if seconds >= least { return Double(seconds) }
        logger.warning("a \(what) of \(seconds) s is raised to the least one, \(least) s")
        return Double(least)
    }

    private static func isPrefix(_ text: String) -> Bool {
        (1...80).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "_")
            }
    }

    private static func url(_ text: String) -> URL? {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false
        else { return nil }
        return url
    }
}
