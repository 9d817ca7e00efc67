import FlagModel
import Testing

@Suite struct BulkEvaluationTests {
    @Test func readsFlagsFailuresStreamsAndMetadata() throws {
        let answer = try #require(
            BulkEvaluation(
                try FlagValue(
                    json: #"""
                        {"flags": [{"key": "b", "value": 1, "reason": "STATIC"},
                                   {"key": "a", "errorCode": "PARSE_ERROR"}],
                         "eventStreams": [{"type": "sse", "url": "https://example.com/s"}],
                         "metadata": {"version": "7"}, "more": true}
                        """#)))
        #expect(answer.flags.map(\.key) == ["b", "a"], "in the order of the answer")
        #expect(answer.flags.map(\.errorCode) == [nil, .parseError])
        #expect(answer.eventStreams == [EventStream(type: "sse", location: .url("https://example.com/s"))])
        #expect(answer.metadata == ["version": "7"])
        #expect(answer.malformedCount == 0)
    }

    @Test func malformedEntriesCostOnlyThemselves() throws {
        let answer = try #require(
            BulkEvaluation(
                try FlagValue(json: #"{"flags":[null,{"key":"a","value":1},7,[],{"value":2},{"key":"b"}]}"#)))
        #expect(answer.flags.map(\.key) == ["a", "b"])
        #expect(answer.malformedCount == 4)
    }

    @Test func tellsNoStreamsFromNoneAnnounced() throws {
        #expect(BulkEvaluation(try FlagValue(json: #"{"flags":[]}"#))?.eventStreams == nil)
        #expect(
            BulkEvaluation(try FlagValue(json: #"{"flags":[],"eventStreams":null}"#))?.eventStreams == nil)
        #expect(BulkEvaluation(try FlagValue(json: #"{"flags":[],"eventStreams":[]}"#))?.eventStreams == [])
        #expect(
            BulkEvaluation(try FlagValue(json: #"{"flags":[],"eventStreams":[1,{}]}"#))?.eventStreams == [])
    }

    @Test(arguments: ["null", "[]", "{}", #"{"flags":null}"#, #"{"flags":{"a":1}}"#, #"{"flags":"x"}"#, "1"])
    func refusesWhatIsNoAnswer(json: String) throws {
        #expect(BulkEvaluation(try FlagValue(json: json)) == nil)
    }

    @Test func writesWhatItReads() throws {
        var answer = BulkEvaluation(
            flags: [
                FlagResolution(key: "z", value: ["a": [1, 1.0]], variant: "v", reason: .targetingMatch),
                FlagResolution(key: "a", reason: .error, errorCode: .general, errorDetails: "no"),
            ],
            eventStreams: [
                EventStream(
                    type: EventStream.evaluationsType, location: .endpoint(requestURI: "/s?x=1", origin: nil),
                    inactivityDelay: 30)
            ], metadata: ["flagSetId": "web"])
        #expect(BulkEvaluation(answer.json) == answer)
        #expect(answer.json["flags"]?.arrayValue?.compactMap { $0["key"]?.stringValue } == ["z", "a"])
        answer.eventStreams = nil
        #expect(answer.json.objectValue?.keys.sorted() == ["flags", "metadata"])
        #expect(BulkEvaluation(answer.json) == answer)
    }
}
