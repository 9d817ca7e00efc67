import FaultProxy
import FlagModel
import Flagstaff
import Foundation
import Testing

/// A service that goes away under many clients and comes back: they come back too, spread over time.
@Suite(.timeLimit(.minutes(1))) struct ServiceRestartTests {
    private static let count = 200

    private func startClients(_ stage: Stage) async throws -> [FlagClient] {
        let before = ProcessUsage.now()
        let clients = try (0..<Self.count).map { _ in try stage.client() }
        await withTaskGroup(of: Void.self) { group in
            var rest = clients[...]
            for client in rest.prefix(20) {
                group.addTask { await client.start(context: Flags.context(1), timeout: 30) }
            }
            rest = rest.dropFirst(20)
            while await group.next() != nil {
                guard let client = rest.popFirst() else { continue }
                group.addTask { await client.start(context: Flags.context(1), timeout: 30) }
            }
        }
        // The values, then the stream.
        await stage.proxy.wait { $0.requests >= 2 * Self.count }
        if let before, let after = ProcessUsage.now() {
            report(
                "\(Self.count) connected clients: \((after.resident - before.resident) / Self.count) KiB and "
                    + "\(Double(after.threads - before.threads) / Double(Self.count)) threads each")
        }
        return clients
    }

    /// How many of the times lie within any 100 ms, at most.
    private func peak(_ times: [Double]) -> Int {
        let times = times.sorted()
        return times.indices.map { first in
            times[first...].prefix { $0 < times[first] + 0.1 }.count
        }.max() ?? 0
    }

    private func check(
        _ stage: Stage, _ clients: [FlagClient], restartedAt start: Double, _ name: Comment
    ) async {
        for client in clients { await client.waitForState(2) }
        let duration = ProcessInfo.processInfo.systemUptime - start
        let requests = stage.proxy.records.map(\.time).filter { $0 >= start }
        let peak = peak(requests)
        report(
            "\(name): \(Self.count) clients back in \(Int(duration * 1000)) ms with \(requests.count) requests, "
                + "at most \(peak) within 100 ms")
        #expect(Double(peak) < 0.4 * Double(Self.count), name)
        // One stream each, and not many attempts more.
        #expect(requests.count < 3 * Self.count, name)
    }

    @Test func clientsComeBackSpreadAfterAnOrderlyRestart() async throws {
        try await Stage.with { stage in
            let clients = try await startClients(stage)
            let start = ProcessInfo.processInfo.systemUptime
            await stage.stopService()
            try stage.startService(state: 2)
            await check(stage, clients, restartedAt: start, "orderly restart")
        }
    }

    @Test func clientsComeBackSpreadAfterACrash() async throws {
        try await Stage.with { stage in
            let clients = try await startClients(stage)
            stage.proxy.setRules([FaultRule(.refuse)])
            let accepted = stage.proxy.counts.accepted
            await stage.proxy.cutConnections(.reset)
            await stage.stopService()
            // Everyone has knocked in vain, some more than once.
            await stage.proxy.wait { $0.accepted >= accepted + Self.count }
            try stage.startService(state: 2)
            let start = ProcessInfo.processInfo.systemUptime
            await stage.proxy.lift()
            await check(stage, clients, restartedAt: start, "crash")
        }
    }
}
