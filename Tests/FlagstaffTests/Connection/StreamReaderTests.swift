import FlagModel
import Testing

@testable import Flagstaff

@Suite struct StreamReaderTests {
    private let head = FlagTransportHead(
        status: 200, headers: ["Content-Type": "text/event-stream; charset=utf-8"])

    @Test(arguments: 0..<150)
    func readsMessagesSplitAnywhere(split: Int) {
        let text = """
            : hello

            id: 1
            event: patch
            data: {"etag":"e2","flags":[{"key":"ä","value":1,"reason":"STATIC"}],"removed":["b"]}

            retry: 2000


            """
        let bytes = Array(text.utf8)
        let at = min(split, bytes.count)
        var reader = StreamReader(kind: .evaluations, lastEventID: nil)
        #expect(reader.receive(.head(head)) == [.opened])
        let inputs = reader.receive(.bytes(Array(bytes[..<at]))) + reader.receive(.bytes(Array(bytes[at...])))
        let messages = inputs.filter { $0 != .activity }
        #expect(
            messages == [
                .evaluations(
                    .patch(
                        etag: "e2", changed: [FlagResolution(key: "ä", value: 1, reason: .static)],
                        removed: ["b"],
                        metadata: nil), id: "1"),
                .retry(milliseconds: 2000),
            ])
    }

    @Test func heartbeatIsActivity() {
        var reader = StreamReader(kind: .evaluations, lastEventID: nil)
        _ = reader.receive(.head(head))
        #expect(reader.receive(.bytes(Array(":\n".utf8))) == [.activity])
    }

    @Test func unreadableMessagesOfKnownTypesAreLostAndOthersSkipped() {
        var reader = StreamReader(kind: .evaluations, lastEventID: nil)
        _ = reader.receive(.head(head))
        let inputs = reader.receive(.bytes(Array("event: put\ndata: {\n\nevent: news\ndata: {}\n\n".utf8)))
        #expect(inputs == [.lost("an unreadable message"), .skipped("a message of an unknown type")])
    }

    @Test func damagedTextIsNotTakenForAValue() {
        var reader = StreamReader(kind: .evaluations, lastEventID: nil)
        _ = reader.receive(.head(head))
        let message = EvaluationsMessage.patch(
            etag: "e", changed: [FlagResolution(key: "a", value: "dark", reason: .static)], removed: [],
            metadata: nil)
        var bytes = message.event(id: "1").bytes
        #expect(reader.receive(.bytes(bytes)) == [.evaluations(message, id: "1")])
        let index = bytes.indices.first { bytes[$0...].starts(with: "ark".utf8) }
        if let index { bytes[index] ^= 0x80 }
        #expect(reader.receive(.bytes(bytes)) == [.lost("a damaged message")])
    }

    @Test func noticesAreToldByTheirDataAndNotTheEventName() {
        var reader = StreamReader(kind: .notices, lastEventID: nil)
        _ = reader.receive(.head(head))
        let text =
            "data: {\"type\":\"refetchEvaluation\",\"etag\":\"x\"}\n\ndata: {\"type\":\"other\"}\n\ndata: no\n\n"
        let inputs = reader.receive(.bytes(Array(text.utf8)))
        #expect(inputs.first == .notice(RefetchNotice(etag: "x"), id: nil))
        #expect(inputs.dropFirst().allSatisfy { $0 == .skipped("a message of another type") })
        #expect(inputs.count == 3)
    }

    @Test func otherAnswersEndItOnce() {
        var reader = StreamReader(kind: .notices, lastEventID: nil)
        let refusal = reader.receive(.head(FlagTransportHead(status: 503, headers: ["retry-after": "7"])))
        #expect(
            refusal == [.ended(ServiceFailure(FlagTransportHead(status: 503, headers: ["Retry-After": "7"])))]
        )
        #expect(reader.receive(.bytes([1, 2, 3])).isEmpty)
        #expect(reader.receive(.ended(nil)).isEmpty)

        var page = StreamReader(kind: .notices, lastEventID: nil)
        let inputs = page.receive(
            .head(FlagTransportHead(status: 200, headers: ["Content-Type": "text/html"])))
        guard case .ended(let failure) = inputs.first else {
            Issue.record("a page was taken for a stream")
            return
        }
        #expect(failure.error.code == .rejected)
    }

    @Test func endOfTheBodyEndsIt() {
        var reader = StreamReader(kind: .notices, lastEventID: nil)
        _ = reader.receive(.head(head))
        guard case .ended(let failure) = reader.receive(.ended(nil)).first else {
            Issue.record("the end was not reported")
            return
        }
        #expect(failure.error.code == .network)
    }
}
