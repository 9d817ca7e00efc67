import FlagLocking
import FlagModel
import FlagstaffTesting
import Foundation

@testable import Flagstaff
@testable import Quonfig

/// A device with the app installed, and the service in the hand of the test.
struct Device {
    let service: TestFlagService
    let clock = TestClock()
    let storage: MemoryFlagStorage
    let sink = RecordingSink()

    init(_ values: [String: FlagValue] = [:]) {
        service = TestFlagService(values: values, delivery: .polling)
        storage = MemoryFlagStorage { [clock] in clock.date.timeIntervalSince1970 }
    }

    /// A client as `initialize` makes it, not started.
    func launch(
        _ context: QuonfigContext = QuonfigContext(["user": ["key": "u_1"]]),
        _ change: (inout Configuration) -> Void = { _ in }
    ) -> Quonfig {
        var configuration = Configuration(sdkKey: "secret-key", logSink: sink)
        change(&configuration)
        let logger = configuration.logger
        let client = service.makeClient(clock: clock) { native in
            configuration.apply(to: &native, logger: logger)
            native.storage = storage
        }
        return Quonfig(client, context: context, logger: logger)
    }

    /// A client that has the service's values.
    func ready(
        _ context: QuonfigContext = QuonfigContext(["user": ["key": "u_1"]]),
        _ change: (inout Configuration) -> Void = { _ in }
    ) async -> Quonfig {
        let quonfig = launch(context, change)
        await quonfig.start(timeout: 100)
        return quonfig
    }

    /// Lets time pass, once no other thread is in the middle of setting the client's timers.
    func pass(_ seconds: Double, _ quonfig: Quonfig) async {
        while quonfig.client.core.state.withLock({ $0.isPerforming }) { await Task.yield() }
        clock.advance(by: seconds)
    }
}
