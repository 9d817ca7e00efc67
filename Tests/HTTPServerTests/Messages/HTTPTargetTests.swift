import Testing

@testable import HTTPServer

@Suite struct HTTPTargetTests {
    @Test(
        arguments: [
            ("/", "/", nil), ("/a/b", "/a/b", nil), ("/a?b=c", "/a", "b=c"), ("/a?b?c", "/a", "b?c"),
            ("/a?", "/a", ""),
            ("/a%3Fb", "/a%3Fb", nil), ("*", "*", nil), ("", "/", nil), ("?a", "/", "a"),
            ("http://host/a?b", "/a", "b"), ("http://host:80", "/", nil), ("http://host?a", "/", "a"),
            ("/redirect?to=http://x/y", "/redirect", "to=http://x/y"), ("/a//b", "/a//b", nil),
        ] as [(String, String, String?)])
    func splitsPathAndQuery(_ raw: String, _ path: String, _ query: String?) {
        let target = HTTPTarget(raw)
        #expect(target.raw == raw)
        #expect(target.path == path)
        #expect(target.query == query)
    }
}
