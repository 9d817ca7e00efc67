import Testing

@testable import HTTPServer

/// What a stream does without a connection; the rest is in `StreamingTests`.
@Suite struct HTTPStreamTests {
    @Test func holdsWhatIsWrittenBeforeItIsSent() {
        let stream = HTTPStream()
        #expect(stream.write([1, 2]))
        #expect(stream.bufferedBytes == 2)
        #expect(stream.isOpen)
        stream.finish()
        #expect(!stream.isOpen)
        #expect(!stream.write([3]))
        #expect(stream.bufferedBytes == 2)
    }

    @Test func itsOwnLimitHoldsFromTheStart() {
        let stream = HTTPStream(bufferLimit: 3)
        #expect(stream.write([1, 2]))
        #expect(!stream.write([3, 4]))
        #expect(!stream.isOpen)
    }

    @Test func saysSoWhenItWasNeverSent() async {
        let reasons = Mailbox<HTTPStream.CloseReason>()
        do {
            let stream = HTTPStream { reasons.put($0) }
            stream.write([1])
            stream.finish()
        }
        #expect(await reasons.take(seconds: 1) == .unused)
        #expect(reasons.count == 0)
    }
}
