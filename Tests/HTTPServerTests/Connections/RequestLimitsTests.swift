import Testing

@testable import HTTPServer

@Suite struct RequestLimitsTests {
    private func check(_ change: (inout RequestHead) -> Void) -> RequestLimits.Decision {
        var configuration = HTTPServer.Configuration()
        configuration.maxBodyBytes = 100_000
        configuration.maxHeaderBytes = 1000
        var head = RequestHead()
        change(&head)
        return RequestLimits(configuration).check(head)
    }

    @Test func acceptsARequestWithoutBody() {
        #expect(check { _ in } == .accept(expectedBytes: 0))
    }

    @Test func acceptsABodyUpToTheLimit() {
        #expect(check { $0.contentLengths = ["10"] } == .accept(expectedBytes: 10))
        #expect(check { $0.contentLengths = ["100000"] } == .accept(expectedBytes: 16_384))
        #expect(check { $0.contentLengths = ["100001"] } == .refuse(.contentTooLarge))
        #expect(check { $0.contentLengths = ["18446744073709551615"] } == .refuse(.contentTooLarge))
    }

    @Test func acceptsAHeadUpToTheLimit() {
        #expect(check { $0.size = 1000 } == .accept(expectedBytes: 0))
        #expect(check { $0.size = 1001 } == .refuse(.headerFieldsTooLarge))
    }

    @Test func acceptsChunksOnly() {
        #expect(check { $0.transferEncodings = ["Chunked"] } == .accept(expectedBytes: 0))
        #expect(check { $0.transferEncodings = ["gzip, chunked"] } == .refuse(.notImplemented))
        #expect(check { $0.transferEncodings = ["chunked", "chunked"] } == .refuse(.notImplemented))
    }

    @Test func refusesTwoOpinionsAboutTheLength() {
        #expect(
            check {
                $0.transferEncodings = ["chunked"]
                $0.contentLengths = ["3"]
            } == .refuse(.badRequest))
        #expect(check { $0.contentLengths = ["3", "4"] } == .refuse(.badRequest))
        #expect(check { $0.contentLengths = ["3", "3"] } == .accept(expectedBytes: 3))
    }

    @Test func wantsOneHost() {
        #expect(check { $0.hostCount = 0 } == .refuse(.badRequest))
        #expect(check { $0.hostCount = 2 } == .refuse(.badRequest))
        #expect(
            check {
                $0.hostCount = 0
                $0.isOldVersion = true
            } == .accept(expectedBytes: 0))
    }
}
