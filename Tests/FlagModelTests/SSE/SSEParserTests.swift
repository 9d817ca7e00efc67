import FlagModel
import Testing

@Suite struct SSEParserTests {
    /// One stream and what it holds.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        var outputs: [SSEParser.Output]
        var lastEventID: String?
        var limit = 16 << 20

        var testDescription: String { name }
    }

    private static func event(_ data: String, type: String = "message", id: String? = nil) -> SSEParser.Output
    {
        .event(ServerSentEvent(type: type, data: data, id: id))
    }

    private static func damaged(_ data: String) -> SSEParser.Output {
        var event = ServerSentEvent(data: data)
        event.isDamaged = true
        return .event(event)
    }

    static let cases: [Case] = [
        Case(name: "nothing", bytes: [], outputs: []),
        Case(name: "one event", bytes: text("data: a\n\n"), outputs: [event("a")]),
        Case(
            name: "LF, CR and CRLF mixed",
            bytes: text("data: a\r\n\r\ndata: b\r\rdata: c\n\ndata: d\r\n\rdata: e\n\r\n"),
            outputs: [event("a"), event("b"), event("c"), event("d"), event("e")]),
        Case(
            name: "CR then LF is one line end, LF then CR two",
            bytes: text("data: a\r\ndata: b\n\rdata: c\r\r\n"),
            outputs: [event("a\nb"), event("c")]),
        Case(
            name: "a byte-order mark at the start only",
            bytes: text("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\ndata: c\n\n"),
            outputs: [event("a"), event("c")]),
        Case(name: "only one byte-order mark", bytes: text("\u{FEFF}\u{FEFF}data: a\n\n"), outputs: []),
        Case(
            name: "comments", bytes: text(": hello\n:\n\ndata: a\n: in between\ndata: b\n:data: c\n\n:\n\n"),
            outputs: [event("a\nb")]),
        Case(
            name: "a comment after a byte-order mark", bytes: text("\u{FEFF}: hi\ndata: a\n\n"),
            outputs: [event("a")]),
        Case(
            name: "multi-line data", bytes: text("data: a\ndata:\ndata\ndata:  b \ndata: c: d\n\n"),
            outputs: [event("a\n\n\n b \nc: d")]),
        Case(
            name: "empty data is an event", bytes: text("data\n\ndata:\n\n"), outputs: [event(""), event("")]),
        Case(
            name: "no data is none", bytes: text("event: x\n\nid: 1\n\ndata: a\n\n"),
            outputs: [event("a", id: "1")],
            lastEventID: "1"),
        Case(
            name: "event types",
            bytes: text(
                "event: put\ndata: a\n\ndata: b\n\nevent: x\nevent:\ndata: c\n\nevent:  y\ndata: d\n\n"),
            outputs: [event("a", type: "put"), event("b"), event("c"), event("d", type: " y")]),
        Case(
            name: "ids stay in force", bytes: text("id: 1\ndata: a\n\ndata: b\n\nid: 2\nid: 3\ndata: c\n\n"),
            outputs: [event("a", id: "1"), event("b", id: "1"), event("c", id: "3")], lastEventID: "3"),
        Case(
            name: "an empty id takes the id back", bytes: text("id: 1\ndata: a\n\nid\ndata: b\n\n"),
            outputs: [event("a", id: "1"), event("b")]),
        Case(
            name: "an id with NUL is passed over", bytes: text("id: 1\ndata: a\n\nid: 2\u{0}3\ndata: b\n\n"),
            outputs: [event("a", id: "1"), event("b", id: "1")], lastEventID: "1"),
        Case(
            name: "retry, also with an event", bytes: text("retry: 2500\n\nretry: 10\nid: 7\ndata: a\n\n"),
            outputs: [.retry(milliseconds: 2500), .retry(milliseconds: 10), event("a", id: "7")],
            lastEventID: "7"),
        Case(
            name: "retry that is no number",
            bytes: text(
                "retry: 1.5\nretry: -1\nretry: +1\nretry:\nretry: 1s\nretry: ٣\nretry: 99999999999999999999\ndata: a\n\n"
            ),
            outputs: [event("a")]),
        Case(
            name: "unknown fields and rubbish",
            bytes: text("foo: bar\nDATA: x\ndata : y\n data: z\n=\ndata: a\n\n"),
            outputs: [event("a")]),
        Case(
            name: "text of several bytes", bytes: text("event: früh\nid: é\ndata: 🚩 €\n\n"),
            outputs: [event("🚩 €", type: "früh", id: "é")], lastEventID: "é"),
        Case(
            name: "bytes that are not UTF-8",
            bytes: text("data: a") + [0xFF, 0xC3] + text("b") + [0xED, 0xA0, 0x80] + text("\n\ndata: c\n\n"),
            outputs: [damaged("a\u{FFFD}\u{FFFD}b\u{FFFD}\u{FFFD}\u{FFFD}"), event("c")]),
        Case(
            name: "a replacement of as many bytes",
            bytes: text("data: ") + [0xF0, 0x90, 0x80] + text("\n\n"),
            outputs: [damaged("\u{FFFD}")]),
        Case(
            name: "a replacement character", bytes: text("data: \u{FFFD}\n\n"), outputs: [event("\u{FFFD}")]),
        Case(
            name: "NUL in the data", bytes: text("data: a\u{0}b\n\n"), outputs: [event("a\u{0}b")]),
        Case(
            name: "no empty line at the end", bytes: text("data: a\n\nid: 9\ndata: b\n"),
            outputs: [event("a")]),
        Case(name: "no line end at the end", bytes: text("data: a\n\ndata: b"), outputs: [event("a")]),
        Case(
            name: "an event too large, then the next",
            bytes: text("id: 1\ndata: 0123456789\nid: 2\nevent: x\n\ndata: b\n\n"),
            outputs: [.oversizedEvent, event("b", id: "2")], lastEventID: "2", limit: 12),
        Case(
            name: "many lines too large together",
            bytes: text("data: 12345\ndata: 67890\ndata: x\n\ndata: b\n\n"),
            outputs: [.oversizedEvent, event("b")], limit: 12),
        Case(
            name: "a comment of any length is no part of an event",
            bytes: text("data: a\n:" + String(repeating: "-", count: 40) + "\n\n"), outputs: [event("a")],
            limit: 12),
        Case(
            name: "exactly at the limit", bytes: text("data: 123456\n\ndata: 1234567\n\n"),
            outputs: [event("123456"), .oversizedEvent], limit: 12),
    ]

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func expect(_ outputs: [SSEParser.Output], _ parser: SSEParser, _ aCase: Case, _ comment: String)
    {
        if outputs != aCase.outputs || parser.lastEventID != aCase.lastEventID {
            Issue.record("\(aCase.name), \(comment): \(outputs), id \(parser.lastEventID ?? "none")")
        }
    }

    @Test(arguments: cases)
    func readsAStreamInOnePiece(aCase: Case) {
        var parser = SSEParser(maximumEventBytes: aCase.limit)
        expect(parser.feed(aCase.bytes), parser, aCase, "whole")
    }

    @Test(arguments: cases)
    func readsAStreamByteByByte(aCase: Case) {
        var parser = SSEParser(maximumEventBytes: aCase.limit)
        expect(aCase.bytes.flatMap { parser.feed(CollectionOfOne($0)) }, parser, aCase, "in bytes")
    }

    @Test(arguments: cases)
    func readsAStreamSplitAtEveryPairOfPlaces(aCase: Case) {
        let bytes = aCase.bytes
        for first in 0...bytes.count {
            for second in first...bytes.count {
                var parser = SSEParser(maximumEventBytes: aCase.limit)
                var outputs = parser.feed(bytes[..<first])
                outputs += parser.feed(bytes[first..<second])
                outputs += parser.feed(bytes[second...])
                expect(outputs, parser, aCase, "split at \(first) and \(second)")
            }
        }
    }

    @Test func takesBytesThatAreNotStoredTogether() {
        var parser = SSEParser()
        let bytes = "data: a\n\n".utf8.lazy.map { $0 }.reversed().reversed()
        #expect(parser.feed(AnySequence(bytes)) == [Self.event("a")])
    }

    @Test func startsWithTheIdOfAnEarlierConnection() {
        var parser = SSEParser(lastEventID: "41")
        #expect(parser.lastEventID == "41")
        #expect(parser.feed("data: a\n\nid: 42\n\n".utf8) == [Self.event("a", id: "41")])
        #expect(parser.lastEventID == "42")
    }

    @Test func anIdCountsOnlyOnceItsEventIsWhole() {
        var parser = SSEParser(lastEventID: "1")
        #expect(parser.feed("id: 2\ndata: lost with the connection\n".utf8).isEmpty)
        #expect(parser.lastEventID == "1", "resuming after 2 would skip an event that never arrived")
    }

    @Test func anEndlessLineTakesNoMemoryBeyondTheLimit() {
        var parser = SSEParser(maximumEventBytes: 1_000)
        let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
        #expect(parser.feed("data: ".utf8).isEmpty)
        for _ in 0..<100 { #expect(parser.feed(chunk).isEmpty) }
        #expect(parser.feed("\n\ndata: next\n\n".utf8) == [.oversizedEvent, Self.event("next")])
    }

    @Test func deliversAnEventOfManyMegabytes() {
        let data = String(repeating: "0123456789abcdef", count: 1 << 18)
        var parser = SSEParser()
        #expect(parser.feed("data: \(data)\n\n".utf8) == [Self.event(data)])
    }
}
