import FaultProxy
import FlagModel
import Flagstaff
import Foundation
import Testing

/// Changes of context that overlap, answered in any order: values are never another context's, and the last wins.
@Suite(.timeLimit(.minutes(1))) struct ContextChangeTests {
    private static let policies: [FlagContextSwitchPolicy] = [.keepUntilReplaced, .dropAtOnce]

    private static let path = "/ofrep/v1/evaluate/flags"
    private static let orders = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]]

    /// Looks at every snapshot that an event tells of, until the client is closed.
    private func inspect(_ client: FlagClient) -> Task<Void, Never> {
        let events = client.events
        return Task {
            for await _ in events {
                let snapshot = client.snapshot
                #expect(Flags.isSound(snapshot, upTo: .max))
            }
        }
    }

    @Test(arguments: orders, policies) func lastWins(order: [Int], policy: FlagContextSwitchPolicy)
        async throws
    {
        try await Stage.with { stage in
            let client = try stage.client { $0.contextSwitch = policy }
            let inspection = inspect(client)
            #expect(await client.start(context: Flags.context(0), timeout: 20).isFresh)
            stage.proxy.setRules(
                (1...3).map {
                    .init(.hold(at: .start, gate: "\($0)"), path: "/flags", bodyText: "user-\($0)")
                })
            var changes: [Task<FlagUpdateOutcome, Never>] = []
            for user in 1...3 {
                let requests = stage.proxy.counts.paths[Self.path, default: 0]
                changes.append(Task { await client.setContext(Flags.context(user), timeout: 20) })
                await stage.proxy.wait { $0.paths[Self.path, default: 0] > requests }
            }
            for user in order { await stage.proxy.release("\(user)") }
            #expect(await changes[0].value == .superseded)
            #expect(await changes[1].value == .superseded)
            #expect(await changes[2].value == .fresh)
            #expect(client.context == Flags.context(3))
            #expect(client.value(for: "mark", default: "") == Flags.mark(3, 1))
            try stage.publish(state: 2)
            await client.waitForState(2)
            #expect(client.value(for: "mark", default: "") == Flags.mark(3, 2))
            await client.close()
            await inspection.value
        }
    }

    @Test(arguments: policies) func stormEndsOnTheLastContext(policy: FlagContextSwitchPolicy) async throws {
        // Each user's answers take another time.
        let rules = (0..<Flags.users).map { user in
            FaultRule(.delay(at: .start, seconds: Double(user * 7 % 10) / 500), bodyText: "user-\(user)")
        }
        try await Stage.with(rules) { stage in
            let client = try stage.client { $0.contextSwitch = policy }
            let inspection = inspect(client)
            await client.start(context: Flags.context(0), timeout: 20)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<4 {
                    group.addTask {
                        for round in 0..<25 {
                            let user = (task * 3 + round * 7) % 9
                            let outcome = await client.setContext(Flags.context(user), timeout: 20)
                            #expect(outcome == .fresh || outcome == .superseded)
                            let snapshot = client.snapshot
                            #expect(Flags.isSound(snapshot, upTo: .max))
                        }
                    }
                }
                for state in 2...20 { try stage.publish(state: state) }
                try await group.waitForAll()
            }
            #expect(await client.setContext(Flags.context(9), timeout: 20) == .fresh)
            #expect(client.value(for: "mark", default: "") == Flags.mark(9, 20))
            await client.close()
            await inspection.value
        }
    }
}
