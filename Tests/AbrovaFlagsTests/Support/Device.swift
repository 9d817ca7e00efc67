import FlagLocking
import FlagModel
import FlagstaffTesting
import Foundation

@testable import AbrovaFlags
@testable import Flagstaff

/// A device with the app installed, and the service in the hand of the test: clients that follow each other are runs of
/// the app.
struct Device {
    static let key = "ab_live_secret"

    let service: TestFlagService
    let clock = TestClock()
    let storage = MemoryFlagStorage()
    let log = FlagLogRecorder(level: .warning)

    init(_ values: [String: FlagValue] = ["dark-mode": true]) {
        service = TestFlagService(values: values, delivery: .polling)
    }

    /// A client as the app makes it.
    func launch(_ config: AbrovaFlagsConfig = AbrovaFlagsConfig(apiKey: Device.key)) -> AbrovaFlags {
        let client = service.makeClient(clock: clock) { configuration in
            config.apply(to: &configuration, logger: log)
            configuration.storage = storage
        }
        let memory = IdentityMemory(
            config, storage: storage, installation: FlagIdentityStore(storage: storage, logger: log),
            logger: log)
        return AbrovaFlags(config: config, client: client, memory: memory, logger: log)
    }

    /// A client that has the service's values.
    func ready(
        _ config: AbrovaFlagsConfig = AbrovaFlagsConfig(apiKey: Device.key)
    ) async -> AbrovaFlags {
        let flags = launch(config)
        flags.start()
        _ = await flags.waitUntilReady(timeout: 100)
        return flags
    }

    /// Ends a run of the app; all that is to be stored is stored then.
    func quit(_ flags: AbrovaFlags) async {
        flags.close()
        await flags.client.close()
        await flags.memory.flush()
    }

    /// The requests for flags so far, once there are that many.
    func requests(_ count: Int) async throws -> [TestRequest] {
        _ = try await service.requests(count)
        return service.requests
    }

    /// Lets time pass, once no other thread is in the middle of setting the client's timers.
    func pass(_ seconds: Double, _ flags: AbrovaFlags?) async {
        while flags?.client.core.state.withLock({ $0.isPerforming }) == true { await Task.yield() }
        clock.advance(by: seconds)
    }

    /// A refresh while time goes on: after a failure it waits for the next attempt.
    func refresh(_ flags: AbrovaFlags) async -> Bool {
        let result = Lock<Bool?>(nil)
        let call = Task {
            let isCurrent = await flags.refresh()
            result.withLock { $0 = isCurrent }
            return isCurrent
        }
        while result.withLock({ $0 }) == nil {
            await pass(0.1, flags)
            await Task.yield()
        }
        return await call.value
    }

    /// All that is stored, as text.
    var stored: String {
        get throws {
            try storage.entries().map(\.name).map { name in
                name + String(decoding: try storage.read(name) ?? [], as: UTF8.self)
            }.joined(separator: "\n")
        }
    }
}

extension AbrovaFlags {
    /// What an app on Apple platforms hears when it comes back into sight.
    func enterForeground() {
        client.core.receive(.foreground)
    }
}
