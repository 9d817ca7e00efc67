import FaultProxy
import FlagModel
import Flagstaff
import Foundation
import ServiceStage

@testable import AbrovaFlags

/// A real service behind a proxy, and clients as apps make them, whose values are in `UserDefaults`.
struct AppStage {
    let stage: ServiceStage
    let defaults: UserDefaultsStorage

    var proxy: FaultProxy { stage.proxy }

    /// Runs the body with a service that has these flags, in flagd's form, and ends everything afterwards.
    static func with(_ flags: [String: FlagValue], _ body: (AppStage) async throws -> Void) async throws {
        let suiteName = "flagstaff.test.\(UUID().uuidString)"
        defer { UserDefaults(suiteName: suiteName)?.removePersistentDomain(forName: suiteName) }
        try await ServiceStage.with(flags) { stage in
            try await body(AppStage(stage: stage, defaults: UserDefaultsStorage(suiteName: suiteName)))
        }
    }

    /// Puts other flags into force.
    func publish(_ flags: [String: FlagValue]) throws {
        try stage.publish(flags)
    }

    /// The configuration of the app.
    func config(key: String = ServiceStage.key, timeout: Double = 10) -> AbrovaFlagsConfig {
        AbrovaFlagsConfig(apiKey: key, baseURL: stage.url, requestTimeoutSeconds: timeout, logLevel: .none)
    }

    /// A run of the app.
    func launch(_ config: AbrovaFlagsConfig) -> AbrovaFlags {
        launch(config, config.makeClient(logger: config.logLevel.logger, storage: defaults))
    }

    /// A run of the app whose changes are asked for at once, for tests of a great many.
    func launchWithoutPause(_ config: AbrovaFlagsConfig) throws -> AbrovaFlags {
        var configuration = FlagClientConfiguration(endpoint: config.baseURL, key: config.apiKey)
        config.apply(to: &configuration, logger: config.logLevel.logger)
        configuration.contextChangeDelay = 0
        configuration.storage = defaults
        return launch(config, try FlagClient(configuration))
    }

    private func launch(_ config: AbrovaFlagsConfig, _ client: FlagClient) -> AbrovaFlags {
        let logger = config.logLevel.logger
        let memory = IdentityMemory(
            config, storage: defaults,
            installation: FlagIdentityStore(storage: defaults, logger: logger), logger: logger)
        return AbrovaFlags(config: config, client: client, memory: memory, logger: logger)
    }

    /// Ends a run of the app; all that is to be stored is stored then.
    func quit(_ flags: AbrovaFlags) async {
        flags.close()
        await flags.client.close()
        await flags.memory.flush()
    }
}
