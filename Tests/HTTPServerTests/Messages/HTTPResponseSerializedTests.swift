import Testing

@testable import HTTPServer

@Suite struct HTTPResponseSerializedTests {
    @Test func hasLengthAndClosesTheConnection() {
        let response = HTTPResponse(.requestTimeout, contentType: "text/plain", bytes: Array("late".utf8))
        #expect(
            String(decoding: response.serialized(reasonPhrase: "Request Timeout"), as: UTF8.self)
                == "HTTP/1.1 408 Request Timeout\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n"
                + "Connection: close\r\n\r\nlate")
    }

    @Test func leavesOutFieldsWithLineBreaks() {
        let response = HTTPResponse(
            .ok, headers: [HTTPHeader("A", "b\r\nInjected: yes"), HTTPHeader("C", "d")])
        let text = String(decoding: response.serialized(reasonPhrase: "OK"), as: UTF8.self)
        #expect(!text.contains("Injected"))
        #expect(text.contains("C: d\r\n"))
    }
}
