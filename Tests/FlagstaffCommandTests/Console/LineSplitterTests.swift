import Testing

@testable import FlagstaffCommand

@Suite struct LineSplitterTests {
    @Test func cutsTheSameLinesHoweverTheyArrive() {
        let text = Array("one\r\n\ntwo é\nlast".utf8)
        let expected = ["one", "", "two é", "last"]
        for size in 1...text.count {
            var splitter = LineSplitter()
            var lines: [[UInt8]] = []
            for start in stride(from: 0, to: text.count, by: size) {
                lines += splitter.add(Array(text[start..<min(start + size, text.count)]))
            }
            if let last = splitter.finish() { lines.append(last) }
            #expect(lines.map { String(decoding: $0, as: UTF8.self) } == expected)
        }
    }

    @Test func hasNoLastLineAfterAnEnd() {
        var splitter = LineSplitter()
        #expect(splitter.add(Array("a\n".utf8)).count == 1)
        #expect(splitter.finish() == nil)
    }
}
