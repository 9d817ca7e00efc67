import FlagModel
import Testing

@Suite struct ServerSentEventTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func writesTheFieldsThatAreSet() {
        #expect(text(ServerSentEvent(data: "a").bytes) == "data: a\n\n")
        #expect(
            text(ServerSentEvent(type: "put", data: "{}", id: "7").bytes) == "event: put\nid: 7\ndata: {}\n\n"
        )
        #expect(text(ServerSentEvent(data: "").bytes) == "data: \n\n")
    }

    @Test func writesALineOfDataForEachLine() {
        #expect(
            text(ServerSentEvent(data: "a\nb\r\nc\rd\n").bytes)
                == "data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n")
        #expect(text(ServerSentEvent(data: "\n").bytes) == "data: \ndata: \n\n")
    }

    @Test func leavesOutWhatCouldForgeAnotherField() {
        let event = ServerSentEvent(type: "a\ndata: forged", data: "x", id: "1\r\n\u{0}retry: 1")
        #expect(text(event.bytes) == "event: adata: forged\nid: 1retry: 1\ndata: x\n\n")
        #expect(text(ServerSentEvent.comment("a\n\ndata: forged")) == ": adata: forged\n\n")
    }

    @Test func writesCommentsAndDelaysThatAreNoEvents() {
        var parser = SSEParser()
        #expect(parser.feed(ServerSentEvent.comment("heartbeat")).isEmpty)
        #expect(parser.feed(ServerSentEvent.retry(milliseconds: 3000)) == [.retry(milliseconds: 3000)])
        #expect(parser.feed(ServerSentEvent.retry(milliseconds: -1)) == [.retry(milliseconds: 0)])
    }

    @Test func whatIsWrittenReadsBackAsTheSame() {
        var generator = SeededGenerator(seed: 42)
        let letters: [Unicode.Scalar] = ["a", " ", ":", "\n", "\r", "é", "🚩", "\u{FEFF}", "\t", "\u{0}"]
        func random(_ count: Int, without excluded: Set<Unicode.Scalar> = []) -> String {
            var view = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...count, using: &generator) {
                guard let letter = letters.randomElement(using: &generator), !excluded.contains(letter) else {
                    continue
                }
                view.append(letter)
            }
            return String(view)
        }
        var stream: [UInt8] = []
        var expected: [SSEParser.Output] = []
        var id: String?
        for _ in 0..<2_000 {
            let type = random(5, without: ["\n", "\r", "\u{0}"])
            let given = random(5, without: ["\n", "\r", "\u{0}"])
            if !given.isEmpty { id = given }
            let data = random(20)
            stream +=
                ServerSentEvent(
                    type: type.isEmpty ? "message" : type, data: data, id: given.isEmpty ? nil : given
                ).bytes
            if generator.chance(20) { stream += ServerSentEvent.comment(random(10)) }
            let lines = String(data.map { ["\r\n", "\r"].contains($0) ? "\n" : $0 })
            expected.append(
                .event(ServerSentEvent(type: type.isEmpty ? "message" : type, data: lines, id: id)))
        }
        var parser = SSEParser()
        let outputs = parser.feed(stream)
        #expect(outputs.count == expected.count)
        for (output, event) in zip(outputs, expected) where output != event {
            Issue.record("\(output) is not \(event)")
            break
        }
    }
}
