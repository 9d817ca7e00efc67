import FlagLocking
import FlagModel
import Foundation
import Testing

@testable import Flagstaff

/// Threads that read, change and drain at the same time, as fast as they can.
///
/// The n-th state serves n as the value and in the variant, and belongs to the n-th context, so each read knows what it
/// must be counted on. Between readers there is nothing that orders them but the table, so that the Thread Sanitizer
/// sees what the table itself orders.
@Suite(.timeLimit(.minutes(3))) struct ReadTableStormTests {
    private static let stateCount = 1500
    /// How often a reader must have seen a newer state for a storm to mean something.
    private static let leastAdvances = 200
    private static let readerCount = 4
    private static let longText = "a text that does not fit into a string's own sixteen bytes: "

    /// What a thread was given: how often which state's value, and how often the default.
    private struct Tally: Sendable {
        var states: [Int: UInt64] = [:]
        var defaults: UInt64 = 0
        var faults: [String] = []

        mutating func add(_ state: Int?) {
            guard let state else { return defaults += 1 }
            states[state, default: 0] += 1
        }

        mutating func merge(_ other: Tally) {
            states.merge(other.states) { $0 + $1 }
            defaults += other.defaults
            faults += other.faults
        }
    }

    /// How far a storm is.
    private struct Progress: Sendable {
        var isOver = false
        var advances = 0
    }

    /// The flags of a state: of one type each, one that changes its type, one that comes and goes.
    private static func snapshot(_ state: Int, after former: FlagSnapshot) -> FlagSnapshot {
        func flag(_ key: String, _ value: FlagValue) -> FlagResolution {
            FlagResolution(key: key, value: value, variant: "\(state)", reason: .static)
        }
        let changing: [FlagValue] = [
            .int(Int64(state)), .string("\(longText)\(state)"), .double(Double(state)),
        ]
        var flags = [
            flag("bool", .bool(state % 2 == 0)), flag("int", .int(Int64(state))),
            flag("double", .double(Double(state) + 0.5)), flag("short", .string("\(state)")),
            flag("long", .string(longText + "\(state)")), flag("changing", changing[state % 3]),
            flag("object", ["state": .int(Int64(state))]),
        ]
        if state % 4 != 0 { flags.append(flag("fleeting", .int(Int64(state)))) }
        return former.replaced(
            by: BulkEvaluation(flags: flags), etag: nil, context: FlagContext(key: "\(state)"), time: Date())
    }

    private struct Object: Decodable, FlagConvertible {
        var state: Int

        init(state: Int) { self.state = state }

        init?(flagValue: FlagValue) {
            guard let state = flagValue["state"]?.intValue else { return nil }
            self.state = Int(state)
        }
    }

    /// One read of each kind; returns the state that each was given the value of, `nil` for a default.
    private static let reads: [@Sendable (ReadTable) -> Int?] = [
        { table in
            let state = table.int("int", default: -1)
            return state < 0 ? nil : state
        },
        { table in
            let state = table.int(literal: "int", default: -1)
            return state < 0 ? nil : state
        },
        { table in
            let value = table.double("double", default: -1)
            return value < 0 ? nil : Int(value)
        },
        { Int($0.string("short", default: "")) },
        { number(in: $0.string("long", default: "")) },
        { number(in: $0.string(literal: "long", default: "")) },
        { table in
            let state = table.int("changing", default: -1)
            return state < 0 ? nil : state
        },
        { number(in: $0.string("changing", default: "")) },
        { table in
            let state = table.int("fleeting", default: -1)
            return state < 0 ? nil : state
        },
        { table in
            let state = table.value("object", default: Object(state: -1)).state
            return state < 0 ? nil : state
        },
        { table in
            let evaluation = table.evaluation("object", as: Object.self, default: Object(state: -1))
            // All of an evaluation is of one state.
            let isWhole = evaluation.context?.targetingKey == evaluation.variant
            return evaluation.isDefault ? nil : isWhole ? evaluation.value.state : -2
        },
        { table in
            table.value("long", default: FlagValue.null).stringValue.flatMap(number)
        },
        { table in
            let snapshot = table.load()
            let state = snapshot.value(for: "int", default: -1)
            return snapshot.isReady && snapshot.context.targetingKey != "\(state)" ? -2 : nil
        },
    ]

    /// The reads at the end of the list that the table does not count.
    private static let uncounted = 1

    private static func number(in text: String) -> Int? {
        text.hasPrefix(longText) ? Int(text.dropFirst(longText.count)) : nil
    }

    private static func readOn(_ table: ReadTable, _ progress: Lock<Progress>, seed: UInt64) -> Tally {
        var tally = Tally()
        var random = SeededGenerator(seed: seed)
        var newest = 0
        // Looked at seldom, so that its lock orders little between the threads.
        while !progress.withLock({ $0.isOver }) {
            let former = newest
            for _ in 0..<64 {
                let number = Int.random(in: 0..<reads.count, using: &random)
                let state = reads[number](table)
                if number < reads.count - uncounted { tally.add(state) }
                guard let state else { continue }
                if state == -2 { tally.faults.append("read \(number) mixed two states") }
                if state < newest { tally.faults.append("read \(number): \(state) came after \(newest)") }
                newest = max(newest, state)
            }
            if newest > former { progress.withLock { $0.advances += 1 } }
        }
        return tally
    }

    /// Runs bodies on threads of their own, and returns when all are done.
    private static func onThreads(_ bodies: [@Sendable () -> Void]) {
        let group = DispatchGroup()
        for body in bodies {
            group.enter()
            Thread {
                body()
                group.leave()
            }.start()
        }
        group.wait()
    }

    private static func storm(stripes: Int, observing: Bool = false) -> (read: Tally, counts: [CountedRead]) {
        let table = ReadTable(stripeCount: stripes)
        let progress = Lock(Progress())
        let tally = Lock(Tally())
        let counts = Lock<[CountedRead]>([])
        var bodies: [@Sendable () -> Void] = []
        for number in 0..<readerCount {
            bodies.append {
                let own = Self.readOn(table, progress, seed: UInt64(number))
                tally.withLock { tally in tally.merge(own) }
            }
        }
        bodies.append {
            var snapshot = FlagSnapshot.empty
            // On a busy machine the readers may have to wait for their turn.
            for state in 1...(stateCount * 200) {
                if state > stateCount, progress.withLock({ $0.advances >= leastAdvances }) { break }
                snapshot = Self.snapshot(state, after: snapshot)
                table.store(snapshot)
                if observing, state % 40 == 20 { table.setRecorder { _ in } }
                if observing, state % 40 == 0 { table.setRecorder(nil) }
            }
            progress.withLock { $0.isOver = true }
        }
        bodies.append {
            while !progress.withLock({ $0.isOver }) {
                let part = table.drain()
                counts.withLock { $0 += part }
            }
        }
        onThreads(bodies)
        return (tally.withLock { $0 }, counts.withLock { $0 } + table.drain())
    }

    private static func check(_ storm: (read: Tally, counts: [CountedRead])) {
        #expect(storm.read.faults.isEmpty, "\(storm.read.faults.prefix(3))")
        var counted = Tally()
        for count in storm.counts {
            if count.isDefault {
                counted.defaults += count.count
            } else {
                let state = count.variant.flatMap(Int.init) ?? -1
                counted.states[state, default: 0] += count.count
                #expect(count.context.targetingKey == count.variant)
            }
        }
        #expect(counted.states == storm.read.states)
        #expect(counted.defaults == storm.read.defaults)
        #expect(storm.read.states.count > 10, "the readers saw too few states")
    }

    @Test func everyReadIsCountedOnceAndOnWhatItWasGiven() {
        Self.check(Self.storm(stripes: 8))
    }

    @Test func alsoWhereAllThreadsShareAStripe() {
        Self.check(Self.storm(stripes: 1))
    }

    @Test func alsoWhereObserversComeAndGo() {
        Self.check(Self.storm(stripes: 4, observing: true))
    }

    @Test func nobodySeesTheOldAfterSomebodySawTheNew() {
        let table = ReadTable()
        let isOver = Lock(false)
        // The newest state that anybody saw; taken before a read, it is the least that the read may give.
        let newest = Lock(0)
        let faults = Lock<[String]>([])
        var bodies: [@Sendable () -> Void] = []
        for number in 0..<Self.readerCount {
            bodies.append {
                var random = SeededGenerator(seed: UInt64(number))
                while !isOver.withLock({ $0 }) {
                    let least = newest.withLock { $0 }
                    let read = Int.random(in: 0..<Self.reads.count, using: &random)
                    guard let state = Self.reads[read](table) else { continue }
                    if state < least {
                        faults.withLock { $0.append("read \(read): \(state) after \(least)") }
                    }
                    newest.withLock { $0 = max($0, state) }
                }
            }
        }
        bodies.append {
            var snapshot = FlagSnapshot.empty
            for state in 1...Self.stateCount {
                snapshot = Self.snapshot(state, after: snapshot)
                table.store(snapshot)
            }
            isOver.withLock { $0 = true }
        }
        Self.onThreads(bodies)
        #expect(faults.withLock { $0 } == [])
    }

    @Test func totalsAreExactWhereManyTasksReadOneFlag() async {
        let table = ReadTable()
        table.store(Self.snapshot(1, after: .empty))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<20_000 { _ = table.int("int", default: 0) }
                }
            }
        }
        #expect(table.drain().map(\.count) == [160_000])
    }
}
