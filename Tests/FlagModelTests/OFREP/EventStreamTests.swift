import FlagModel
import Testing

@Suite struct EventStreamTests {
    @Test(
        arguments: [
            (#"{"type":"sse","url":"https://e.org/s?t=1"}"#, .url("https://e.org/s?t=1"), nil),
            (
                #"{"type":"x","endpoint":{"requestUri":"/s?a=b"}}"#,
                .endpoint(requestURI: "/s?a=b", origin: nil), nil
            ),
            (
                #"{"type":"sse","endpoint":{"requestUri":"/s","origin":"https://e.org:8443"}}"#,
                .endpoint(requestURI: "/s", origin: "https://e.org:8443"), nil
            ),
            (#"{"type":"sse","url":"u","inactivityDelaySec":1}"#, .url("u"), 1),
            (#"{"type":"sse","url":"u","inactivityDelaySec":120.0}"#, .url("u"), 120),
            // A delay below a second, or none, leaves it to the client.
            (#"{"type":"sse","url":"u","inactivityDelaySec":0}"#, .url("u"), nil),
            (#"{"type":"sse","url":"u","inactivityDelaySec":-5}"#, .url("u"), nil),
            (#"{"type":"sse","url":"u","inactivityDelaySec":1.5}"#, .url("u"), nil),
            (#"{"type":"sse","url":"u","inactivityDelaySec":"120"}"#, .url("u"), nil),
            (#"{"type":"sse","url":"u","inactivityDelaySec":null}"#, .url("u"), nil),
        ] as [(String, EventStream.Location, Int?)])
    func reads(json: String, location: EventStream.Location, delay: Int?) throws {
        let stream = try #require(EventStream(try FlagValue(json: json)))
        #expect(stream.location == location)
        #expect(stream.inactivityDelay == delay)
        #expect(EventStream(stream.json) == stream)
    }

    @Test(arguments: [
        "null", "{}", "[]", #""sse""#, #"{"type":"sse"}"#, #"{"url":"u"}"#, #"{"type":1,"url":"u"}"#,
        // Both, or of the wrong shape.
        #"{"type":"sse","url":"u","endpoint":{"requestUri":"/s"}}"#,
        #"{"type":"sse","url":"u","endpoint":{}}"#, #"{"type":"sse","url":7,"endpoint":{"requestUri":"/s"}}"#,
        #"{"type":"sse","url":7}"#, #"{"type":"sse","endpoint":{}}"#, #"{"type":"sse","endpoint":"/s"}"#,
        #"{"type":"sse","endpoint":{"requestUri":7}}"#,
        // A path that could leave the origin.
        #"{"type":"sse","endpoint":{"requestUri":"s"}}"#, #"{"type":"sse","endpoint":{"requestUri":""}}"#,
        #"{"type":"sse","endpoint":{"requestUri":"@evil.example/s"}}"#,
    ])
    func refuses(json: String) throws {
        #expect(EventStream(try FlagValue(json: json)) == nil)
    }

    @Test func makesTheWholeURL() {
        let url = EventStream(type: "sse", location: .url("https://a.org/s"))
        let path = EventStream(type: "sse", location: .endpoint(requestURI: "/s?x=1", origin: nil))
        let origin = EventStream(type: "sse", location: .endpoint(requestURI: "/s", origin: "https://b.org"))
        #expect(url.url(serviceOrigin: "http://c.org:80") == "https://a.org/s")
        #expect(path.url(serviceOrigin: "http://c.org:80") == "http://c.org:80/s?x=1")
        #expect(origin.url(serviceOrigin: "http://c.org:80") == "https://b.org/s")
    }
}
