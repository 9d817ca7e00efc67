import FlagModel
import Testing

@Suite struct FlagResolutionOFREPTests {
    @Test(arguments: [
        (
            #"{"key":"a","value":true,"variant":"on","reason":"TARGETING_MATCH","metadata":{"v":1}}"#,
            FlagResolution(key: "a", value: true, variant: "on", reason: .targetingMatch, metadata: ["v": 1])
        ),
        // The code's default: the rest stays as sent.
        (
            #"{"key":"a","variant":"off","reason":"STATIC","metadata":{"v":"x"}}"#,
            FlagResolution(key: "a", variant: "off", reason: .static, metadata: ["v": "x"])
        ),
        (#"{"key":"a","value":null,"reason":"DISABLED"}"#, FlagResolution(key: "a", reason: .disabled)),
        // Reasons that are missing, of another type, or not listed in the standard.
        (#"{"key":"a"}"#, FlagResolution(key: "a", reason: .default)),
        (#"{"key":"a","value":0}"#, FlagResolution(key: "a", value: 0, reason: .unknown)),
        (#"{"key":"a","value":0,"reason":7}"#, FlagResolution(key: "a", value: 0, reason: .unknown)),
        (
            #"{"key":"a","value":"","reason":"BY_WEATHER"}"#,
            FlagResolution(key: "a", value: "", reason: FlagReason(rawValue: "BY_WEATHER"))
        ),
        // Every kind of value, lists included.
        (#"{"key":"a","value":1.0,"reason":"SPLIT"}"#, FlagResolution(key: "a", value: 1.0, reason: .split)),
        (
            #"{"key":"a","value":9007199254740993,"reason":"SPLIT"}"#,
            FlagResolution(key: "a", value: 9_007_199_254_740_993, reason: .split)
        ),
        (#"{"key":"a","value":[],"reason":"SPLIT"}"#, FlagResolution(key: "a", value: [], reason: .split)),
        (
            #"{"key":"a","value":{"n":null},"reason":"SPLIT"}"#,
            FlagResolution(key: "a", value: ["n": nil], reason: .split)
        ),
        // Failures, told by the code alone.
        (
            #"{"key":"a","errorCode":"PARSE_ERROR","errorDetails":"bad rule","metadata":{"v":1}}"#,
            FlagResolution(
                key: "a", reason: .error, errorCode: .parseError, errorDetails: "bad rule", metadata: ["v": 1]
            )
        ),
        (
            #"{"key":"a","errorCode":"OUT_OF_LUCK","value":true,"variant":"on","reason":"STATIC"}"#,
            FlagResolution(key: "a", reason: .error, errorCode: FlagErrorCode(rawValue: "OUT_OF_LUCK"))
        ),
        (#"{"key":"a","errorCode":null,"value":1}"#, FlagResolution(key: "a", value: 1, reason: .unknown)),
        // Metadata holds strings, numbers and Booleans.
        (
            #"{"key":"a","metadata":{"s":"x","i":1,"d":1.5,"b":false,"n":null,"l":[1],"o":{}}}"#,
            FlagResolution(key: "a", reason: .default, metadata: ["s": "x", "i": 1, "d": 1.5, "b": false])
        ),
        (#"{"key":"a","metadata":[1],"variant":7}"#, FlagResolution(key: "a", reason: .default)),
        (#"{"key":"","more":{"than":"known"}}"#, FlagResolution(key: "", reason: .default)),
    ])
    func reads(json: String, resolution: FlagResolution) throws {
        #expect(FlagResolution(ofrep: try FlagValue(json: json)) == resolution)
    }

    @Test(arguments: ["{}", #"{"key":null}"#, #"{"key":1,"value":true}"#, "[]", "null", #""key""#, "1"])
    func refusesAnEntryWithoutAKey(json: String) throws {
        #expect(FlagResolution(ofrep: try FlagValue(json: json)) == nil)
    }

    @Test func aKeyThatIsKnownReplacesAMissingOne() throws {
        let resolution = FlagResolution(
            ofrep: try FlagValue(json: #"{"errorCode":"FLAG_NOT_FOUND"}"#), key: "asked")
        #expect(resolution == FlagResolution(key: "asked", reason: .error, errorCode: .flagNotFound))
    }

    @Test(arguments: [
        (
            FlagResolution(key: "a", value: 1.0, variant: "one", reason: .split, metadata: ["v": 1]),
            #"{"key":"a","metadata":{"v":1},"reason":"SPLIT","value":1.0,"variant":"one"}"#
        ),
        (FlagResolution(key: "a", reason: .default), #"{"key":"a","metadata":{},"reason":"DEFAULT"}"#),
        (
            FlagResolution(key: "a", value: 1, reason: .error, errorCode: .general, errorDetails: "x"),
            #"{"errorCode":"GENERAL","errorDetails":"x","key":"a","metadata":{}}"#
        ),
        (
            FlagResolution(key: "a", reason: .error, errorCode: .flagNotFound),
            #"{"errorCode":"FLAG_NOT_FOUND","key":"a","metadata":{}}"#
        ),
    ])
    func writes(resolution: FlagResolution, json: String) {
        #expect(resolution.ofrep.jsonText == json)
        if resolution.errorCode == nil { #expect(FlagResolution(ofrep: resolution.ofrep) == resolution) }
    }
}
