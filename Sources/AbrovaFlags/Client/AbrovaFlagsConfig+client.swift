package import Flagstaff
import Foundation

extension AbrovaFlagsConfig {
    /// The native client that does what this configuration asks for.
    func makeClient(logger: any FlagLogger, storage: any FlagStorage) -> FlagClient {
        // Where the code names no address, the log says so if nobody else does either.
        let endpoint =
            baseURL == Self.defaultBaseURL
            ? FlagClientConfiguration.deployedEndpoint(logger: logger) : baseURL
        var configuration = FlagClientConfiguration(endpoint: endpoint, key: apiKey)
        apply(to: &configuration, logger: logger)
        configuration.storage = storage
        // An app must not crash for a bad setting, and this interface has no way to refuse one: what is wrong is left out.
        let attempts: [(inout FlagClientConfiguration) -> Void] = [
            { _ in },
            { $0.key = nil },
            { [apiKey] in
                $0.key = apiKey
                $0.endpoint = AbrovaFlagsConfig.defaultBaseURL
            },
            { $0.key = nil },
        ]
        for change in attempts {
            change(&configuration)
            do {
                return try FlagClient(configuration)
            } catch {
                logger.error("the configuration cannot work as it is: \(error)")
            }
        }
        preconditionFailure("a client without a key at the deployed address can always be made")
    }

    /// Sets all but where the service is and what the values are stored in.
    package func apply(to configuration: inout FlagClientConfiguration, logger: any FlagLogger) {
        configuration.environment = environment
        configuration.sync = .polling(every: refreshIntervalSeconds.map { max($0, 30) } ?? .infinity)
        configuration.contextSwitch = .keepUntilReplaced
        configuration.contextChangeDelay = 0.25
        // The system suspends an app's requests itself, and an app that refreshes in the background means it.
        configuration.background = .keepRunning
        configuration.foregroundRefresh =
            foregroundRefreshSeconds == .infinity ? .never : .ifOlder(than: foregroundRefreshSeconds)
        configuration.refusal = .stopUntilRefresh
        configuration.requestTimeout = requestTimeoutSeconds
        // The last values only: what a user was shown is not kept beside another's.
        configuration.cache = .disk(contexts: 1)
        configuration.telemetry = .off
        configuration.logger = logger
    }
}

extension AbrovaFlagsLogLevel {
    /// The logger of that level: the system log on Apple platforms, standard error elsewhere.
    var logger: any FlagLogger {
        let level: FlagLogLevel
        switch self {
        case .none: return SilentLogger()
        case .error: level = .error
        case .warning: level = .warning
        case .info: level = .info
        case .debug: level = .debug
        }
        #if canImport(os)
            return SystemLogger(level: level)
        #else
            return StandardErrorLogger(level: level)
        #endif
    }
}
