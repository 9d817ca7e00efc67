/// The memory of a table's cells: it grows, and nothing in it moves or is given back before the table ends.
///
/// Cells are made 256 at a time: a chunk has a page of 4 KiB for each stripe. Stripes that lie closer share no cache line
/// either, but a processor that fetches ahead of a thread takes lines of the next stripe away from another one; it stops
/// at the end of a page.
struct CellMemory {
    /// How many stripes a cell has: a power of two.
    let stripeCount: Int
    private var chunks: [UnsafeMutableRawPointer] = []
    private var cellsInLastChunk = CellMemory.cellsInChunk

    private static let cellsInChunk = ReadCell.stride / 2
    private static let pageSize = ReadCell.stride * MemoryLayout<UInt64>.size

    /// Makes memory for no cells.
    init(stripeCount: Int) {
        self.stripeCount = stripeCount
    }

    /// Makes a cell; it is closed.
    mutating func makeCell() -> ReadCell {
        let word = MemoryLayout<UInt64>.size
        if cellsInLastChunk == Self.cellsInChunk {
            let size = stripeCount * ReadCell.stride * word
            let chunk = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Self.pageSize)
            chunk.initializeMemory(as: UInt64.self, repeating: 0, count: size / word)
            chunks.append(chunk)
            cellsInLastChunk = 0
        }
        let place = chunks[chunks.count - 1] + cellsInLastChunk * 2 * word
        cellsInLastChunk += 1
        return ReadCell(base: place.assumingMemoryBound(to: UInt64.self))
    }

    /// Gives everything back.
    func free() {
        for chunk in chunks { chunk.deallocate() }
    }
}
