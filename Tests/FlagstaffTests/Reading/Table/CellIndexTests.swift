import Testing

@testable import Flagstaff

@Suite struct CellIndexTests {
    /// Keys that differ little, are of all lengths, or are equal to the eye.
    private static let oddKeys = [
        "", "a", "b", "ab", "a\0", "\0", "fifteen-bytes-1", "sixteen-bytes-12", "sixteen-bytes-13",
        "seventeen-bytes-1", "caf\u{e9}", "cafe\u{301}", "🏳️‍🌈", "ключ", String(repeating: "x", count: 5000),
        String(repeating: "x", count: 4999) + "y", " a", "a ",
    ]

    @Test func findsEveryKeyAsItGrows() {
        var storage = CellIndexStorage()
        var memory = CellMemory(stripeCount: 2)
        defer {
            storage.free()
            memory.free()
        }
        let hash = KeyHash(seed: 1)
        var cells: [String.UTF8Key: ReadCell] = [:]
        for (number, key) in (Self.oddKeys + (0..<3000).map { "feature-\($0)" }).enumerated() {
            let cell = memory.makeCell()
            key.withKeyBytes {
                #expect(storage.index.cell($0, hash: hash($0, .int)) == nil)
                storage.insert(cell, ofEntry: number, for: $0, hash: hash($0, .int))
                #expect(storage.index.entry($0, hash: hash($0, .int)) == number)
            }
            cells[String.UTF8Key(key)] = cell
        }
        #expect(cells.count == Self.oddKeys.count + 3000)
        for (key, cell) in cells {
            key.text.withKeyBytes {
                #expect(storage.index.cell($0, hash: hash($0, .int)) == cell)
                #expect(storage.index.cell($0, hash: hash($0, .double)) == nil)
            }
        }
    }

    @Test func keysWithOneHashAreToldApart() {
        var storage = CellIndexStorage()
        var memory = CellMemory(stripeCount: 1)
        defer {
            storage.free()
            memory.free()
        }
        let cells = ["one", "two", "three-and-more-bytes"].map { ($0, memory.makeCell()) }
        for (key, cell) in cells {
            key.withKeyBytes { storage.insert(cell, ofEntry: 0, for: $0, hash: 99) }
        }
        for (key, cell) in cells {
            key.withKeyBytes { #expect(storage.index.cell($0, hash: 99) == cell) }
        }
        "four".withKeyBytes { #expect(storage.index.cell($0, hash: 99) == nil) }
        "twx".withKeyBytes { #expect(storage.index.cell($0, hash: 99) == nil) }
    }

    @Test func cellsOfTwoStripesShareNoPage() {
        var memory = CellMemory(stripeCount: 4)
        defer { memory.free() }
        let cells = (0..<600).map { _ in memory.makeCell() }
        var pages: [UInt: Int] = [:]
        for cell in cells {
            for stripe in 0..<4 {
                let page = UInt(bitPattern: cell.word(stripe)) / 4096
                #expect(pages[page, default: stripe] == stripe)
                pages[page] = stripe
                #expect(cell.word(stripe).pointee == 0)
            }
        }
        #expect(Set(cells.map { UInt(bitPattern: $0.base) }).count == 600)
    }
}

extension String {
    /// A text that is equal to another when its bytes are.
    fileprivate struct UTF8Key: Hashable {
        let text: String

        init(_ text: String) { self.text = text }

        static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

        func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }
}
