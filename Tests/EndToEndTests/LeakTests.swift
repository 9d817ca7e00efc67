import FaultProxy
import FlagModel
import Flagstaff
import Foundation
import Testing

/// What a client holds of the system stays bounded, however often contexts and connections change.
@Suite(.timeLimit(.minutes(1))) struct LeakTests {
    private static let rounds = 1000
    /// What is done before the first measurement, so that pools and caches are filled.
    private static let warmUp = 100

    private func check(_ name: Comment, _ before: ProcessUsage?, _ stage: Stage) throws {
        // The fetch's connection and the stream's, and what is just being closed.
        #expect(stage.proxy.counts.open <= 8, name)
        guard let before, let after = ProcessUsage.now() else { return }
        report("\(name): before \(before); after \(after)")
        #expect(after.sockets <= before.sockets + 16, name)
        #expect(after.threads <= before.threads + 16, name)
        if ProcessUsage.isSanitized { return }
        // A context or connection that was kept would take more than 6 KiB of each round.
        #expect(after.resident <= before.resident + 6 * Self.rounds, name)
    }

    @Test func contextChangesLeaveNothingBehind() async throws {
        try await Stage.with { stage in
            let client = try stage.client()
            var before: ProcessUsage?
            for round in 0..<Self.warmUp + Self.rounds {
                if round == Self.warmUp { before = ProcessUsage.now() }
                let user = round % Flags.users
                #expect(await client.start(context: Flags.context(user), timeout: 20).isFresh)
                #expect(client.value(for: "mark", default: "") == Flags.mark(user, 1))
            }
            try check("\(Self.rounds) context changes", before, stage)
        }
    }

    @Test func reconnectsLeaveNothingBehind() async throws {
        try await Stage.with { stage in
            // The dice give the shortest delays.
            let client = try stage.client(time: ScaledTime(random: 0))
            var events = client.events.makeAsyncIterator()
            await client.start(context: Flags.context(1), timeout: 20)
            var before: ProcessUsage?
            for round in 0..<Self.warmUp + Self.rounds {
                if round == Self.warmUp { before = ProcessUsage.now() }
                while let event = await events.next(), event.kind != .connected {}
                await stage.proxy.cutConnections(round % 2 == 0 ? .reset : .finish, path: "/evaluations")
            }
            while let event = await events.next(), event.kind != .connected {}
            try check("\(Self.rounds) reconnects", before, stage)
            try stage.publish(state: 2)
            await client.waitForState(2)
        }
    }

    @Test func closedClientsLeaveNothingBehind() async throws {
        try await Stage.with { stage in
            var before: ProcessUsage?
            for round in 0..<60 {
                if round == 10 { before = ProcessUsage.now() }
                let client = try Stage.client(stage.proxy.url)
                #expect(await client.start(context: Flags.context(1), timeout: 20).isFresh)
                // One in two is just let go of.
                if round % 2 == 0 { await client.close() }
            }
            await stage.proxy.wait { $0.open == 0 }
            try check("50 clients", before, stage)
        }
    }
}
