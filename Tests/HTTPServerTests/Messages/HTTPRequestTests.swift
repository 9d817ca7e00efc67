import Testing

@testable import HTTPServer

@Suite struct HTTPRequestTests {
    @Test func canBeMadeWithoutAConnection() {
        let request = HTTPRequest(
            .post, "/a%2Fb?c=d+e", headers: [HTTPHeader("X-Key", "1"), HTTPHeader("x-key", "2")],
            body: [1, 2],
            remoteAddress: "::1")
        #expect(request.method == .post)
        #expect(request.path == "/a%2Fb")
        #expect(request.query == "c=d+e")
        #expect(request.queryItems == [HTTPQueryItem(name: "c", value: "d e")])
        #expect(request.header("X-KEY") == "1")
        #expect(request.header("other") == nil)
        #expect(request.headers.count == 2)
        #expect(request.body == [1, 2])
        #expect(request.remoteAddress == "::1")
        #expect(!request.isHead)
    }

    @Test func showsHeadAsGet() {
        let request = HTTPRequest(.head, "/")
        #expect(request.method == .get)
        #expect(request.isHead)
        #expect(request.queryItems == [])
    }
}
