import FlagModel
import Testing

@Suite struct TelemetryBatchEncodingTests {
    @Test func writesExactlyTheseBytes() {
        let text = #"""
            {"app":{"name":"Shop","version":"4.2"},"droppedEvents":2,"droppedReads":3,"end":1800000060.25,"groups":[{"context":{"mode":"shape","shape":{"device":{"mobile":"boolean"},"targetingKey":"string"}},"evaluations":[{"count":12,"flag":"new-checkout","reason":"TARGETING_MATCH","valueID":"a1","variant":"on","version":"7"},{"count":1,"default":true,"errorCode":"TYPE_MISMATCH","flag":"theme","reason":"ERROR","requestedType":"boolean"}]},{"context":{"example":{"plan":"pro","targetingKey":"user-123"},"mode":"example"},"events":[{"name":"checkout","properties":{"gift":false,"items":3},"targetingKey":"user-123","time":1800000012.5,"value":49.99}]},{"context":{"mode":"none"},"events":[{"name":"opened","time":1800000001.0}]}],"id":"123e4567-e89b-42d3-a456-426614174000","sdk":{"name":"flagstaff-swift","version":"0.1.0"},"start":1800000000.0}
            """#
        #expect(String(decoding: TelemetryBatch.full.encoded, as: UTF8.self) == text)
    }

    @Test func writesEqualBatchesAsEqualBytes() {
        let names = (0..<50).map { "name \($0)" }
        let encoded = (0..<20).map { _ in
            // Dictionaries that were filled in another order keep another order.
            let members = Dictionary(uniqueKeysWithValues: names.shuffled().map { ($0, FlagValue.int(1)) })
            var batch = TelemetryBatch.full
            batch.groups[1].context = .example(members)
            batch.groups[1].events[0].properties = members
            return batch.encoded
        }
        #expect(Set(encoded).count == 1)
    }

    @Test func readsBackWhatItWrote() throws {
        #expect(try TelemetryBatch.decode(TelemetryBatch.full.encoded) == .full)
    }

    @Test(arguments: [-1.0, .nan, .infinity, -.infinity, 1e300])
    func keepsTimesOfAClockThatIsFarOffWithinWhatIsAccepted(time: Double) throws {
        var batch = TelemetryBatch.full
        batch.start = 0
        batch.end = time
        batch.groups[2].events[0].time = time
        #expect(try TelemetryBatch.decode(batch.encoded).groups.count == 3)
    }

    @Test func writesNoCountThatAnyReaderWouldRound() throws {
        var batch = TelemetryBatch.full
        batch.groups[0].evaluations[0].count = .max
        let decoded = try TelemetryBatch.decode(batch.encoded)
        #expect(decoded.groups[0].evaluations[0].count == 9_007_199_254_740_991)
        #expect(batch.readCount == .max)
    }

    @Test func sumsItsParts() {
        #expect(TelemetryBatch.full.readCount == 13)
        #expect(TelemetryBatch.full.eventCount == 2)
    }
}
