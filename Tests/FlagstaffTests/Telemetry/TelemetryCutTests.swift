import FlagModel
import Testing

@testable import Flagstaff

@Suite struct TelemetryCutTests {
    private func batches(
        _ reads: [CountedRead] = [], events: [(TelemetryBatch.Event, FlagContext)] = [],
        sampler: ExampleSampler = ExampleSampler(), change: (inout TelemetrySettings) -> Void = { _ in }
    ) -> [(batch: TelemetryBatch, bytes: [UInt8])] {
        var settings = TelemetrySettings()
        change(&settings)
        var sampler = sampler
        var window = TelemetryWindow(start: 0)
        window.add(reads, settings, &sampler, now: 0)
        for (event, context) in events {
            let isTaken = window.add(event, in: context, settings, &sampler, now: 0)
            #expect(isTaken)
        }
        let cut = TelemetryCut(window, at: Moment(uptime: 60, wall: 1_800_000_060, random: 0))
        var number = 0
        let outgoing = cut.batches(settings) {
            number += 1
            return TelemetryHarness.id(number)
        }
        return outgoing.compactMap { outgoing in
            guard let batch = try? TelemetryBatch.decode(outgoing.bytes) else {
                Issue.record("a batch that no service takes")
                return nil
            }
            #expect(batch.id == outgoing.id)
            return (batch, outgoing.bytes)
        }
    }

    private func read(_ key: String, _ context: FlagContext, count: UInt64 = 1) -> CountedRead {
        CountedRead(
            key: key, variant: "on", reason: .targetingMatch, valueID: "v", isDefault: false, version: "3",
            context: context, count: count)
    }

    private let ada = FlagContext(
        key: "ada",
        attributes: ["plan": "pro", "email": "ada@example.com", "device": ["id": "x", "mobile": true]])
    private let bob = FlagContext(
        key: "bob",
        attributes: ["plan": "free", "email": "b@example.com", "device": ["id": "y", "mobile": false]])

    @Test func keepsAllThatIsKnownOfARead() throws {
        let counted = CountedRead(
            key: "k", variant: "v", reason: .error, errorCode: .typeMismatch, valueID: "id", isDefault: true,
            requestedType: "number", version: "9", context: ada, count: 4)
        let evaluation = try #require(batches([counted]).first?.batch.groups.first?.evaluations.first)
        #expect(
            evaluation
                == TelemetryBatch.Evaluation(
                    flag: "k", variant: "v", reason: "ERROR", errorCode: "TYPE_MISMATCH", valueID: "id",
                    isDefault: true, requestedType: "number", version: "9", count: 4))
    }

    @Test func addsUpWhatIsTheSame() throws {
        let batch = try #require(
            batches([read("a", ada), read("b", ada, count: 2), read("a", ada, count: 5)]).first)
        #expect(batch.batch.groups.first?.evaluations.map(\.count) == [6, 2])
    }

    @Test func equalWindowsMakeEqualBytes() {
        let reads = (0..<300).map { read("flag \($0)", $0 % 2 == 0 ? ada : bob, count: UInt64($0 + 1)) }
        let bytes = (0..<10).map { _ in batches(reads.shuffled()).map(\.bytes) }
        #expect(Set(bytes).count == 1)
    }

    // MARK: Contexts

    @Test func shapesHoldNoValues() throws {
        let batch = try #require(batches([read("a", ada), read("a", bob)]).first)
        #expect(batch.batch.groups.count == 1)
        #expect(
            batch.batch.groups[0].context
                == .shape([
                    "targetingKey": "string", "plan": "string", "email": "string",
                    "device": ["id": "string", "mobile": "boolean"],
                ]))
        let text = String(decoding: batch.bytes, as: UTF8.self)
        for value in ["ada", "bob", "pro", "example.com"] { #expect(!text.contains(value)) }
    }

    @Test func noneHoldsNothing() throws {
        let batch = try #require(
            batches([read("a", ada), read("a", bob)]) { $0.contexts = .none }.first)
        #expect(batch.batch.groups.map(\.context) == [.none])
        #expect(batch.batch.readCount == 2)
        let unknown = batches([read("a", ada)]) { $0.contexts = FlagTelemetryContexts(rawValue: "all") }
        #expect(unknown.first?.batch.groups.map(\.context) == [.none])
    }

    @Test func examplesHoldWhatIsNotPrivate() throws {
        let batch = try #require(
            batches([read("a", ada)]) {
                $0.contexts = .examples
                $0.privateAttributes = ["email", "targetingKey", "device.id"]
            }.first)
        #expect(batch.batch.groups.map(\.context) == [.example(["plan": "pro", "device": ["mobile": true]])])
        let text = String(decoding: batch.bytes, as: UTF8.self)
        for word in ["ada", "email", "targetingKey", "\"id\":\"x\""] { #expect(!text.contains(word)) }
    }

    @Test func privateAttributesAreNotInShapesEither() throws {
        let batch = try #require(
            batches([read("a", ada)]) { $0.privateAttributes = ["email", "device"] }.first)
        #expect(batch.batch.groups.map(\.context) == [.shape(["targetingKey": "string", "plan": "string"])])
    }

    @Test func examplesAreCappedAndTheRestAreShapes() throws {
        let reads = (0..<50).map { read("a", FlagContext(key: "user \($0)")) }
        let batch = try #require(batches(reads) { $0.contexts = .examples }.first).batch
        #expect(batch.groups.count == 21)
        #expect(batch.groups.filter { $0.context == .shape(["targetingKey": "string"]) }.count == 1)
        #expect(batch.readCount == 50)
    }

    @Test func aContextIsAnExampleOnceAnHour() {
        var sampler = ExampleSampler()
        let print = ada.fingerprint
        let turns = [0.0, 1, 3_599, 3_600, 3_601].map { sampler.take(print, now: $0, interval: 3_600) }
        #expect(turns == [true, false, false, true, false])
        for number in 0..<5_000 {
            _ = sampler.take(Fingerprint(of: "\(number)"), now: 0, interval: 3_600)
        }
    }

    @Test func aContextThatIsTooLargeOrTooDeepIsReportedAsAShape() {
        let large = FlagContext(
            key: "u", attributes: ["text": .string(String(repeating: "x", count: 10_000))])
        var value: FlagValue = 1
        for _ in 0..<60 { value = ["deeper": value] }
        let deep = FlagContext(key: "u", attributes: ["top": value])
        let groups = batches([read("a", large), read("a", deep)]) { $0.contexts = .examples }
            .flatMap(\.batch.groups)
        #expect(groups.count == 2)
        for group in groups {
            guard case .shape = group.context else {
                Issue.record("\(group.context)")
                continue
            }
        }
    }

    @Test func endlesslyManyKindsOfContextsAreBounded() throws {
        let reads = (0..<3_000).map { read("a", FlagContext(key: "u", attributes: ["name \($0)": 1])) }
        let all = batches(reads)
        #expect(all.map(\.batch.readCount).reduce(0, +) == 3_000)
        #expect(all.map(\.batch.groups.count).reduce(0, +) <= 1_002)
    }

    // MARK: Sizes

    @Test func spreadsALargeWindowOverBatches() {
        let reads = (0..<5_000).map { read("flag with a rather long name, as some are \($0)", ada) }
        let all = batches(reads)
        #expect(all.count > 2)
        for part in all { #expect(part.bytes.count <= 131_072) }
        #expect(all.map(\.batch.readCount).reduce(0, +) == 5_000)
        #expect(Set(all.map(\.batch.id)).count == all.count)
    }

    @Test func keepsTheOrderOfEventsOverBatches() {
        let events = (0..<1_200).map { (TelemetryBatch.Event(name: "e\($0)", time: 1), ada) }
        let all = batches(events: events)
        #expect(all.map(\.batch.eventCount) == [500, 500, 200])
        let names = all.flatMap(\.batch.groups).flatMap(\.events).map(\.name)
        #expect(names == (0..<1_200).map { "e\($0)" })
    }

    @Test func largeEventsMakeManyBatches() {
        let properties: [String: FlagValue] = ["text": .string(String(repeating: "x", count: 32_000))]
        let events = (0..<20).map {
            (TelemetryBatch.Event(name: "e\($0)", properties: properties, time: 1), ada)
        }
        let all = batches(events: events)
        #expect(all.map(\.batch.eventCount).reduce(0, +) == 20)
        for part in all { #expect(part.bytes.count <= 131_072) }
    }
}
