import FlagLocking
import FlagModel
import Testing

@testable import Flagstaff

@Suite(.timeLimit(.minutes(1))) struct FlagEvaluationsTests {
    private func client() throws -> ClientFixture {
        let fixture = try ClientFixture()
        fixture.client.serve([
            FlagResolution(
                key: "theme", value: "hello", variant: "a", reason: .split, metadata: ["version": 2]),
            FlagResolution(key: "n", value: 10.0, reason: .static),
        ])
        return fixture
    }

    private func all(_ evaluations: FlagEvaluations) async -> [FlagEvaluation<FlagValue>] {
        var list: [FlagEvaluation<FlagValue>] = []
        for await evaluation in evaluations { list.append(evaluation) }
        return list
    }

    @Test func tellsEachReadFromNowOnWithWhatItWasGiven() async throws {
        let fixture = try client()
        let client = fixture.client
        #expect(client.value(for: "theme", default: "") == "hello")
        let evaluations = client.evaluations
        #expect(client.value(for: "theme", default: "") == "hello")
        #expect(client.value(for: "n", default: 0) == 10)
        #expect(client.value(for: "theme", default: 3) == 3)
        #expect(client[FlagKey("none", default: true)])
        #expect(client.value(for: "theme", default: Theme.light) == .light)
        #expect(client.value(for: "theme", as: [Int].self, default: [1]) == [1])
        #expect(client.evaluation(of: "n", default: 1.5).value == 10)
        #expect(client.snapshot.isEnabled("none", default: true))
        await client.close()
        let list = await all(evaluations)
        #expect(list.map(\.key) == ["theme", "n", "theme", "none", "theme", "theme", "n"])
        #expect(list.map(\.value) == ["hello", 10.0, 3, true, "light", .null, 10.0])
        #expect(list.map(\.isDefault) == [false, false, true, true, true, true, false])
        #expect(list[0].variant == "a")
        #expect(list[0].reason == .split)
        #expect(list[0].version == "2")
        #expect(list[0].valueID == "1MoOW7eqAPjhZeoELVwO9G")
        #expect(list[0].context == FlagContext(key: "user-123"))
        #expect(list[2].errorCode == .typeMismatch)
        #expect(list[2].errorDetails == "flag 'theme' serves a string that is no Int")
        #expect(list[2].valueID == nil)
        #expect(list[3].errorCode == .flagNotFound)
        #expect(list[4].errorDetails == "flag 'theme' serves a string that is no Theme")
        // Observed or not, each read is counted.
        #expect(client.drainReads().reduce(0) { $0 + $1.count } == 8)
    }

    @Test func listenersAreIndependentAndGetTheNewest256() async throws {
        let fixture = try client()
        let client = fixture.client
        let early = client.evaluations
        for number in 0..<300 { _ = client.value(for: "flag-\(number)", default: 0) }
        let late = client.evaluations
        _ = client.isEnabled("last")
        await client.close()
        let keys = await all(early).map(\.key)
        #expect(keys.count == 256)
        #expect(keys.first == "flag-45")
        #expect(keys.last == "last")
        #expect(await all(late).map(\.key) == ["last"])
        #expect(await all(client.evaluations).isEmpty)
    }

    @Test func withoutListenersReadsAreQuickAgain() {
        let reads = ReadTable()
        func isOpen() -> Bool {
            _ = reads.bool("a", default: false)
            let cell = "a".withKeyBytes { reads.index.cell($0, hash: reads.hash($0, .bool)) }
            return cell.map { CountWord(bits: $0.word(reads.stripe).pointee).isOpen } ?? false
        }
        #expect(isOpen())
        var evaluations: FlagEvaluations? = FlagEvaluations(stream: reads.listen())
        #expect(reads.listenerCount == 1)
        #expect(!isOpen())
        withExtendedLifetime(evaluations) {}
        evaluations = nil
        #expect(reads.listenerCount == 0)
        #expect(isOpen())
        #expect(reads.drain().map(\.count) == [3])
    }

    @Test func recorderIsCalledOutsideTheLock() throws {
        let fixture = try client()
        let reads = fixture.client.reads
        let seen = Lock<[String]>([])
        reads.setRecorder { evaluation in
            // Would wait for ever inside the lock.
            _ = reads.listenerCount
            seen.withLock { $0.append(evaluation.key) }
        }
        #expect(fixture.client.isEnabled("a", default: true))
        #expect(fixture.client.value(for: "n", default: FlagValue.null) == 10.0)
        reads.setRecorder(nil)
        #expect(fixture.client.isEnabled("b", default: true))
        #expect(seen.withLock { $0 } == ["a", "n"])
    }

    @Test func readsFromASnapshotAreCountedWhereTheyAreRecorded() async throws {
        let fixture = try client()
        let client = fixture.client
        let snapshot = client.snapshot
        client.serve([FlagResolution(key: "n", value: 11, reason: .static)], for: FlagContext(key: "other"))
        #expect(client.value(for: "n", default: 0) == 11)
        let evaluation = snapshot.evaluation(of: "n", default: 0)
        let evaluations = client.evaluations
        client.recordRead(of: evaluation)
        client.recordRead(of: evaluation)
        client.recordRead(of: snapshot.evaluation(of: "theme", default: 1))
        let user = FlagContext(key: "user-123")
        #expect(
            Set(client.drainReads()) == [
                CountedRead(
                    key: "n", reason: .static, valueID: ValueID.text(of: 11), isDefault: false,
                    context: FlagContext(key: "other"), count: 1),
                CountedRead(
                    key: "n", reason: .static, valueID: ValueID.text(of: 10.0), isDefault: false,
                    context: user,
                    count: 2),
                CountedRead(
                    key: "theme", reason: .error, errorCode: .typeMismatch, isDefault: true,
                    requestedType: "integer", version: "2", context: user, count: 1),
            ])
        await client.close()
        // As the service sent it, also where the read asked for a whole number.
        #expect(await all(evaluations).map(\.value) == [10.0, 10.0, 1])
    }

    private enum Theme: String, FlagConvertible {
        case light
    }

    @Test func recordedReadsOfDecodedTypesTellTheServedValue() async throws {
        struct Banner: Decodable, Sendable, Equatable { var text: String }
        let fixture = try ClientFixture()
        _ = await fixture.start(["banner": ["text": "Sale!"]])
        var reads = fixture.client.evaluations.makeAsyncIterator()
        let none = Banner(text: "")
        fixture.client.recordRead(
            of: fixture.client.snapshot.evaluation(of: "banner", as: Banner.self, default: none))
        let read = await reads.next()
        #expect(read?.value == ["text": "Sale!"])
        #expect(read?.isDefault == false)
    }
}
