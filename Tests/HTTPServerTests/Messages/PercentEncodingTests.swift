import Testing

@testable import HTTPServer

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("plain", "plain"), ("a%2Fb", "a/b"), ("a%2fb", "a/b"), ("%00", "\0"), ("%25", "%"), ("a+b", "a+b"),
        ("gr%C3%BCn", "grün"), ("grün", "grün"), ("", ""), ("%F0%9F%9A%A9", "🚩"),
    ])
    func decodesSegments(_ encoded: String, _ decoded: String) {
        #expect(PercentEncoding.decode(segment: encoded) == decoded)
    }

    @Test(arguments: ["%", "%2", "a%", "%zz", "%2x", "%-1", "%FF", "%C3", "%ED%A0%80", "%C0%AF"])
    func refusesWhatIsNotEncodedProperly(_ encoded: String) {
        #expect(PercentEncoding.decode(segment: encoded) == nil)
        #expect(PercentEncoding.decode(queryComponent: encoded) == nil)
    }

    @Test func plusIsASpaceInQueriesOnly() {
        #expect(PercentEncoding.decode(queryComponent: "a+b%2Bc") == "a b+c")
        #expect(PercentEncoding.decode(segment: "a+b%2Bc") == "a+b+c")
    }

    @Test func keepsAReplacementCharacterThatWasSent() {
        #expect(PercentEncoding.decode(segment: "%EF%BF%BD") == "\u{FFFD}")
    }
}
