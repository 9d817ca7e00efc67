import FlagModel
import Testing

@Suite struct EvaluationsMessageTests {
    private static let resolution = FlagResolution(key: "a", value: 1, variant: "one", reason: .static)
    private static let messages: [EvaluationsMessage] = [
        .put(etag: "\"e1\"", evaluation: BulkEvaluation(flags: [resolution], metadata: ["v": 1])),
        .put(etag: nil, evaluation: BulkEvaluation(flags: [])),
        .current(etag: "\"e1\""),
        .patch(etag: "\"e2\"", changed: [resolution], removed: ["b", "c"], metadata: ["v": 2]),
        .patch(etag: nil, changed: [], removed: [], metadata: nil),
        .patch(etag: nil, changed: [], removed: [], metadata: nil, number: 7),
    ]

    @Test(arguments: messages)
    func writesWhatItReads(message: EvaluationsMessage) {
        let event = message.event(id: "7")
        #expect(event.id == "7")
        #expect(EvaluationsMessage(event) == message)
        var parser = SSEParser()
        #expect(parser.feed(event.bytes) == [.event(event)])
    }

    @Test func namesTheEventAfterTheMessage() {
        #expect(
            Self.messages.map { $0.event(id: nil).type } == [
                "put", "put", "current", "patch", "patch", "patch",
            ])
        #expect(
            Self.messages[3].event(id: nil).data
                == #"{"etag":"\"e2\"","flags":[{"key":"a","metadata":{},"reason":"STATIC","value":1,"#
                + #""variant":"one"}],"metadata":{"v":2},"removed":["b","c"]}"#)
    }

    /// With an entry left out, the new ETag would stand for values that the client does not have.
    @Test(arguments: ["null", "{}", "7"])
    func aPatchThatCannotBeReadWholeIsNone(entry: String) {
        let data = "{\"flags\":[\(entry),{\"key\":\"a\",\"value\":1,\"reason\":\"STATIC\"}],\"removed\":[]}"
        #expect(EvaluationsMessage(ServerSentEvent(type: "patch", data: data)) == nil)
    }

    @Test(arguments: [
        ("message", #"{"flags":[]}"#), ("future", "{}"), ("put", "{}"), ("put", "not JSON"), ("put", ""),
        ("current", "{}"), ("current", #"{"etag":7}"#), ("patch", "{}"), ("patch", #"{"removed":["a"]}"#),
        ("patch", "[]"), ("PUT", #"{"flags":[]}"#),
    ])
    func passesOverWhatItDoesNotKnow(type: String, data: String) {
        #expect(EvaluationsMessage(ServerSentEvent(type: type, data: data)) == nil)
    }
}
