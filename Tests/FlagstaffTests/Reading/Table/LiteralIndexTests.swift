import Testing

@testable import Flagstaff

@Suite struct LiteralIndexTests {
    @Test func findsALiteralByAddressLengthAndKind() {
        var storage = LiteralIndexStorage()
        var memory = CellMemory(stripeCount: 1)
        defer {
            storage.free()
            memory.free()
        }
        let literal: StaticString = "new-checkout"
        let (cell, other) = (memory.makeCell(), memory.makeCell())
        let index = storage.index
        #expect(index.cell(literal.utf8Start, length: 12, .bool) == nil)
        storage.insert(cell, for: literal.utf8Start, length: 12, .bool)
        storage.insert(other, for: literal.utf8Start, length: 12, .int)
        storage.insert(other, for: literal.utf8Start, length: 12, .bool)
        #expect(index.cell(literal.utf8Start, length: 12, .bool) == cell)
        #expect(index.cell(literal.utf8Start, length: 12, .int) == other)
        #expect(index.cell(literal.utf8Start, length: 3, .bool) == nil)
        #expect(index.cell(literal.utf8Start + 4, length: 8, .bool) == nil)
    }

    @Test func takesNoMoreThanItHasRoomFor() {
        var storage = LiteralIndexStorage()
        var memory = CellMemory(stripeCount: 1)
        let text = UnsafeMutablePointer<UInt8>.allocate(capacity: 5000)
        defer {
            storage.free()
            memory.free()
            text.deallocate()
        }
        let cells = (0..<5000).map { offset in
            let cell = memory.makeCell()
            storage.insert(cell, for: text + offset, length: 1, .bool)
            return cell
        }
        #expect(storage.index.isFull)
        let found = (0..<5000).filter { storage.index.cell(text + $0, length: 1, .bool) == cells[$0] }
        #expect(found == Array(0..<768))
        #expect((768..<5000).allSatisfy { storage.index.cell(text + $0, length: 1, .bool) == nil })
    }
}
