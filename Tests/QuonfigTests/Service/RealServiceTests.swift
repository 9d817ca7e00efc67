import FaultProxy
import FlagModel
import FlagService
import Flagstaff
import FlagstaffTesting
import Foundation
import ServiceStage
import Testing

@testable import Quonfig

/// The whole way: an app's client, a network that misbehaves, and the service.
@Suite(.timeLimit(.minutes(2))) struct RealServiceTests {
    private static let flags: [String: FlagValue] = [
        "new-checkout": .flag(true), "button-color": .flag("red"), "rate-limit": .flag(7),
        "sample-ratio": .flag(0.25),
        "pricing": .flag(["basic": 3]),
        "is-ada": .flag(onIf: ["==": [["var": "user.key"], "ada"]]),
        "is-mobile": .flag(onIf: ["==": [["var": "device.mobile"], true]]),
    ]
    private static let ada = QuonfigContext(["user": ["key": "ada"], "device": ["mobile": true]])
    private static let bob = QuonfigContext(["user": ["key": "bob"]])

    private func configuration(_ stage: ServiceStage, key: String = ServiceStage.key) -> Configuration {
        Configuration(sdkKey: key, apiURLs: [stage.url], requestTimeout: 5, logSink: RecordingSink())
    }

    /// A client as `initialize` makes it, whose values and reports are in that storage.
    private func launch(
        _ configuration: Configuration, _ context: QuonfigContext = ada,
        storage: MemoryFlagStorage = MemoryFlagStorage(),
        timeout: Double = 10
    ) async throws -> Quonfig {
        let quonfig = try configuration.makeClient(for: context, storage: storage)
        await quonfig.start(timeout: timeout)
        return quonfig
    }

    @Test func readsWhatTheServiceEvaluates() async throws {
        try await ServiceStage.with(Self.flags) { stage in
            let quonfig = try await launch(configuration(stage))
            #expect(quonfig.isEnabled("new-checkout"))
            #expect(quonfig.string("button-color", default: "blue") == "red")
            #expect(quonfig.int("rate-limit", default: 100) == 7)
            #expect(quonfig.double("sample-ratio", default: 0.1) == 0.25)
            #expect(quonfig.json("pricing")?["basic"] as? Int == 3)
            #expect(quonfig.isEnabled("is-ada") && quonfig.isEnabled("is-mobile"))
            #expect(quonfig.details("is-ada").reason == .targetingMatch)
            #expect(
                quonfig.details("new-checkout")
                    == EvaluationDetails(value: .bool(true), reason: .static, variant: "static"))
            try await quonfig.updateContext(Self.bob)
            #expect(!quonfig.isEnabled("is-ada"))
            await quonfig.shutdown()
        }
    }

    @Test func aFirstAddressThatHangsHoldsNobodyUp() async throws {
        try await ServiceStage.with(Self.flags, [FaultRule(.ignore)]) { hung in
            try await ServiceStage.with(Self.flags) { stage in
                var configuration = configuration(stage)
                configuration.apiURLs = [hung.url, stage.url]
                configuration.requestTimeout = 2
                let quonfig = try await launch(configuration)
                #expect(quonfig.isEnabled("new-checkout"))
                // The next request goes to the one that works.
                let before = hung.proxy.counts.accepted
                try await quonfig.updateContext(Self.bob)
                #expect(hung.proxy.counts.accepted == before)
                await quonfig.shutdown()
            }
        }
    }

    @Test func addressesThatAllHangEndAtTheTimeLimit() async throws {
        try await ServiceStage.with(Self.flags, [FaultRule(.ignore)]) { stage in
            var configuration = configuration(stage)
            configuration.apiURLs = [stage.url, stage.url.appendingPathComponent("again")]
            let clock = ContinuousClock()
            var quonfig: Quonfig?
            let duration = try await clock.measure {
                quonfig = try await Quonfig.initialize(
                    context: Self.ada, options: configuration, initTimeout: 0.3)
            }
            #expect(duration < .seconds(3))
            #expect(quonfig?.isReady == true)
            #expect(quonfig?.isEnabled("new-checkout") == false)
            await quonfig?.shutdown()
        }
    }

    @Test func offlineTheSameUserHasTheLastValuesAndAnotherHasNone() async throws {
        try await ServiceStage.with(Self.flags) { stage in
            let storage = MemoryFlagStorage()
            try await launch(configuration(stage), storage: storage).shutdown()
            await stage.proxy.closePort()
            let again = try await launch(configuration(stage), storage: storage)
            #expect(again.isEnabled("is-ada"))
            await again.shutdown()
            let other = try await launch(configuration(stage), Self.bob, storage: storage)
            #expect(!other.isEnabled("new-checkout"))
            await other.shutdown()
        }
    }

    @Test func aReportThatIsCutIsSentAgainAndCountedOnce() async throws {
        try await ServiceStage.with(Self.flags) { stage in
            let storage = MemoryFlagStorage()
            let quonfig = try await launch(configuration(stage), storage: storage)
            for _ in 0..<5 { _ = quonfig.isEnabled("new-checkout") }
            // The service takes the report, and the answer is lost.
            stage.proxy.setRules([FaultRule(.cut(at: .head(0), .reset), path: "/telemetry", times: 1)])
            await quonfig.shutdown()
            #expect(stage.reports?.accepted == 1)
            stage.proxy.setRules([])
            let next = try await launch(configuration(stage), storage: storage)
            while stage.reports?.duplicates != 1 { await Task.yield() }
            await next.shutdown()
            #expect(stage.reports?.reads == 5)
            #expect(stage.reports?.accepted == 1)
        }
    }

    @Test func aRefusedReportStopsReportsWithOneError() async throws {
        try await ServiceStage.with(Self.flags) { stage in
            let refusal = Fault.answer(
                Array("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n".utf8), then: nil)
            stage.proxy.setRules([FaultRule(refusal, path: "/telemetry")])
            let sink = RecordingSink()
            var configuration = configuration(stage)
            configuration.logSink = sink
            let storage = MemoryFlagStorage()
            let quonfig = try await launch(configuration, storage: storage)
            _ = quonfig.isEnabled("new-checkout")
            await quonfig.shutdown()
            #expect(sink.levels.filter { $0 == .error }.count == 1)
            // Emptied on the storage's own queue.
            while try storage.entries().contains(where: { $0.name.contains(".batch-") }) {
                await Task.yield()
            }
        }
    }

    @Test func headersOfTheMomentGoWithRequestsAndReports() async throws {
        try await ServiceStage.with(Self.flags) { stage in
            var configuration = configuration(stage)
            configuration.customHeaders = { ["X-Proxy-Token": "t-1"] }
            let quonfig = try await launch(configuration)
            _ = quonfig.isEnabled("new-checkout")
            await quonfig.shutdown()
            let records = stage.proxy.records
            #expect(records.count == 2)
            #expect(records.allSatisfy { $0.request.headers["x-proxy-token"] == "t-1" })
        }
    }

    @Test func readsFromManyTasksAreCountedExactly() async throws {
        try await ServiceStage.with(Self.flags) { stage in
            let quonfig = try await launch(configuration(stage))
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<100_000 { _ = quonfig.isEnabled("new-checkout") }
                    }
                }
            }
            await quonfig.shutdown()
            #expect(stage.reports?.reads == 400_000)
        }
    }
}
