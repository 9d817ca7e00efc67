import FlagLocking
import FlagModel
import FlagstaffTesting
import Foundation

@testable import Flagstaff
@testable import SplitThin

/// A device with the app installed, and the service in the hand of the test.
struct Device {
    let service: TestFlagService
    let clock = TestClock()
    let storage: MemoryFlagStorage
    let log = FlagLogRecorder(level: .warning)

    init(_ values: [String: FlagValue] = [:], delivery: TestFlagService.Delivery = .streaming) {
        service = TestFlagService(values: values, delivery: delivery)
        storage = MemoryFlagStorage { [clock] in clock.date.timeIntervalSince1970 }
    }

    /// A factory as the builder makes it.
    func factory(
        _ target: Target = Target(matchingKey: "user", trafficType: "user"),
        _ config: SplitClientConfig = SplitClientConfig.builder().build()
    ) -> DefaultSplitFactory {
        DefaultSplitFactory(target: target, settings: ClientSettings(config, logger: log)) {
            [service, clock, storage, log] in
            service.makeClient(clock: clock) { native in
                config.apply(to: &native, logger: log)
                native.telemetry.isEnabled = true
                native.storage = storage
            }
        }
    }

    /// Lets time pass, once no other thread is in the middle of setting the client's timers.
    func pass(_ seconds: Double, _ client: any SplitClient) async {
        guard let client = client as? DefaultSplitClient else { return }
        while client.flags.core.state.withLock({ $0.isPerforming }) { await Task.yield() }
        clock.advance(by: seconds)
    }
}

extension SplitClient {
    /// Waits until it is ready, and returns what was heard until then.
    @discardableResult
    func ready() async -> Recorder {
        let recorder = Recorder()
        addEventListener(recorder)
        while !recorder.stories.contains(where: { $0.hasPrefix("ready") }) { await Task.yield() }
        return recorder
    }
}
