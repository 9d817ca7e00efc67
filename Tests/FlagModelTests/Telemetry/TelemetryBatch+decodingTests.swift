import FlagModel
import Testing

@Suite struct TelemetryBatchDecodingTests {
    /// A batch of one group with these further members.
    private func text(
        id: String = "\"123E4567-e89b-42d3-a456-426614174000\"", times: String = "\"start\":1,\"end\":2",
        group: String = ""
    ) -> String {
        "{\"id\":\(id),\(times),\"groups\":[{\"context\":{\"mode\":\"none\"}\(group)}]}"
    }

    private func refusal(_ text: String, limits: TelemetryLimits = TelemetryLimits()) -> TelemetryRefusal? {
        do throws(TelemetryRefusal) {
            _ = try TelemetryBatch.decode(Array(text.utf8), limits: limits)
            return nil
        } catch {
            return error
        }
    }

    @Test func readsTheLeastThatMakesABatch() throws {
        let batch = try TelemetryBatch.decode(Array(text().utf8))
        #expect(batch.id == "123e4567-e89b-42d3-a456-426614174000")
        #expect(batch.sdk == .init(name: "", version: ""))
        #expect(batch.groups == [.init(context: .none)])
    }

    @Test func passesOverWhatItDoesNotKnow() throws {
        let event = #","events":[{"name":"a","time":1,"later":[{}]}],"later":7"#
        let batch = try TelemetryBatch.decode(Array(text(group: event).utf8))
        #expect(batch.groups[0].events == [.init(name: "a", time: 1)])
    }

    @Test(arguments: [
        ("", "the body is not JSON: line 1, column 1: expected a value"),
        ("[]", "the body must be a JSON object with id, start, end and groups"),
        ("{}", "id is missing"),
        (#"{"id":7}"#, "id must be text"),
        (#"{"id":"x"}"#, "id must be a UUID such as 123e4567-e89b-42d3-a456-426614174000"),
        (
            #"{"id":"123e4567-e89b-42d3-a456-42661417400g"}"#,
            "id must be a UUID such as 123e4567-e89b-42d3-a456-426614174000"
        ),
        (#"{"id":"123e4567-e89b-42d3-a456-426614174000"}"#, "start is missing"),
        (
            #"{"id":"123e4567-e89b-42d3-a456-426614174000","start":-1}"#,
            "start must be a time in seconds since 1970"
        ),
        (
            #"{"id":"123e4567-e89b-42d3-a456-426614174000","start":2,"end":1}"#,
            "end must not be before start"
        ),
        (#"{"id":"123e4567-e89b-42d3-a456-426614174000","start":1,"end":2}"#, "groups is missing"),
        (
            #"{"id":"123e4567-e89b-42d3-a456-426614174000","start":1,"end":2,"groups":{}}"#,
            "groups must be an array"
        ),
        (
            #"{"id":"123e4567-e89b-42d3-a456-426614174000","start":1,"end":2,"groups":[7]}"#,
            "groups[0] must be an object"
        ),
        (
            #"{"id":"123e4567-e89b-42d3-a456-426614174000","start":1,"end":2,"groups":[{}]}"#,
            "groups[0].context is missing"
        ),
        (
            #"{"id":"123e4567-e89b-42d3-a456-426614174000","start":1,"end":2,"groups":[{"context":{"mode":"all"}}]}"#,
            "groups[0].context.mode must be none, shape or example"
        ),
    ])
    func saysWhatIsWrongWithABatch(text: String, message: String) {
        #expect(refusal(text)?.description == message)
    }

    @Test(arguments: [
        (#","evaluations":[{}]"#, "groups[0].evaluations[0].count is missing"),
        (#","evaluations":[{"count":1}]"#, "groups[0].evaluations[0].flag is missing"),
        (#","evaluations":[{"count":1,"flag":"f"}]"#, "groups[0].evaluations[0].reason is missing"),
        (
            #","evaluations":[{"count":0,"flag":"f","reason":"STATIC"}]"#,
            "groups[0].evaluations[0].count must be a whole number from 1 to 2^53 - 1"
        ),
        (
            #","evaluations":[{"count":9007199254740992,"flag":"f","reason":"STATIC"}]"#,
            "groups[0].evaluations[0].count must be a whole number from 1 to 2^53 - 1"
        ),
        (
            #","evaluations":[{"count":1.5,"flag":"f","reason":"STATIC"}]"#,
            "groups[0].evaluations[0].count must be a whole number from 1 to 2^53 - 1"
        ),
        (
            #","evaluations":[{"count":1,"flag":"f","reason":"STATIC","default":1}]"#,
            "groups[0].evaluations[0].default must be true or false"
        ),
        (
            #","evaluations":[{"count":1,"flag":["f"],"reason":"STATIC"}]"#,
            "groups[0].evaluations[0].flag must be text"
        ),
        (#","evaluations":7"#, "groups[0].evaluations must be an array"),
        (#","events":[7]"#, "groups[0].events[0] must be an object"),
        (#","events":[{"name":"","time":1}]"#, "groups[0].events[0].name must not be empty"),
        (#","events":[{"name":"a"}]"#, "groups[0].events[0].time is missing"),
        (
            #","events":[{"name":"a","time":1,"value":"x"}]"#,
            "groups[0].events[0].value must be a number"
        ),
        (
            #","events":[{"name":"a","time":1,"properties":[]}]"#,
            "groups[0].events[0].properties must be an object"
        ),
        (
            #","events":[{"name":"a","time":1},{"name":"a","time":253402300800}]"#,
            "groups[0].events[1].time must be a time in seconds since 1970"
        ),
    ])
    func saysWhatIsWrongWithAPart(group: String, message: String) {
        #expect(refusal(text(group: group))?.description == message)
    }

    @Test func keepsToItsLimits() {
        var limits = TelemetryLimits()
        limits.bytes = 90
        #expect(refusal(text(), limits: limits)?.kind == .tooLarge)
        limits = TelemetryLimits()
        limits.groups = 0
        #expect(refusal(text(), limits: limits)?.description == "groups may have at most 0 elements, not 1")
        limits = TelemetryLimits()
        limits.evaluations = 1
        let evaluation = #"{"count":1,"flag":"f","reason":"STATIC"}"#
        #expect(refusal(text(group: ",\"evaluations\":[\(evaluation)]"), limits: limits) == nil)
        #expect(
            refusal(text(group: ",\"evaluations\":[\(evaluation),\(evaluation)]"), limits: limits)?
                .description
                == "a batch may have at most 1 evaluations")
        limits.events = 0
        #expect(
            refusal(text(group: #","events":[{"name":"a","time":1}]"#), limits: limits)?.description
                == "a batch may have at most 0 events")
        limits = TelemetryLimits()
        limits.textBytes = 40
        let long = String(repeating: "x", count: 41)
        #expect(
            refusal(text(group: ",\"events\":[{\"name\":\"\(long)\",\"time\":1}]"), limits: limits)?
                .description
                == "groups[0].events[0].name may have at most 40 bytes")
        limits = TelemetryLimits()
        limits.properties = 1
        let two = #","events":[{"name":"a","time":1,"properties":{"a":1,"b":2}}]"#
        #expect(
            refusal(text(group: two), limits: limits)?.description
                == "groups[0].events[0].properties may have at most 1 members")
        limits = TelemetryLimits()
        limits.propertyBytes = 12
        #expect(
            refusal(text(group: two), limits: limits)?.description
                == "groups[0].events[0].properties may have at most 12 bytes")
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        let nested = ",\"events\":[{\"name\":\"a\",\"time\":1,\"properties\":{\"a\":\(deep)}}]"
        #expect(refusal(text(group: nested))?.kind == .malformed)
    }

    @Test func saysNothingOfWhatAClientWrote() {
        let secret = "secret-value"
        for group in [
            ",\"evaluations\":[{\"count\":\"\(secret)\",\"flag\":\"\(secret)\",\"reason\":\"\(secret)\"}]",
            ",\"events\":[{\"name\":\"\(secret)\",\"time\":\"\(secret)\"}]",
            ",\"context\":{\"mode\":\"\(secret)\"}",
        ] {
            let message = refusal(text(group: group))?.description
            #expect(message != nil)
            #expect(message?.contains(secret) == false)
        }
    }

    @Test func survivesAnythingThatArrives() {
        var generator = SeededGenerator(seed: 11)
        let original = TelemetryBatch.full.encoded
        var accepted = 0
        for _ in 0..<6_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                case 2:
                    bytes.insert(
                        Array("{}[]\",:0-eE.truefalsn".utf8).randomElement(using: &generator) ?? 0, at: index)
                case 3: bytes.removeSubrange(index...)
                default:
                    let from = Int.random(in: 0..<bytes.count, using: &generator)
                    bytes.insert(contentsOf: bytes[min(from, index)...max(from, index)], at: index)
                }
                if bytes.isEmpty { bytes = [0x7B] }
            }
            do throws(TelemetryRefusal) {
                let batch = try TelemetryBatch.decode(bytes)
                accepted += 1
                // What was accepted can be written and read again.
                #expect((try? TelemetryBatch.decode(batch.encoded)) != nil)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
        #expect(accepted > 100)
        #expect(accepted < 5_900)
    }
}
