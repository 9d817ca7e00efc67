import Testing

@testable import HTTPServer

@Suite struct ByteQueueTests {
    /// Takes everything out in pieces of this size.
    private func drain(_ queue: inout ByteQueue, pieces: Int) -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: pieces)
        while queue.byteCount > 0 {
            let count = buffer.withUnsafeMutableBytes { queue.copy(into: $0) }
            result += buffer[..<count]
        }
        return result
    }

    @Test(arguments: [1, 2, 3, 7, 100])
    func keepsOrderWhateverThePieces(_ pieces: Int) {
        var queue = ByteQueue()
        var expected: [UInt8] = []
        for index in 0..<200 {
            let bytes = [UInt8](repeating: UInt8(index), count: index % 5)
            queue.append(bytes)
            expected += bytes
        }
        #expect(queue.byteCount == expected.count)
        #expect(drain(&queue, pieces: pieces) == expected)
    }

    @Test func alternatesBetweenAppendingAndCopying() {
        var queue = ByteQueue()
        var written: [UInt8] = []
        var read: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 5)
        for index in 0..<1000 {
            let bytes = (0..<index % 11).map { UInt8(truncatingIfNeeded: index &* 31 &+ $0) }
            queue.append(bytes)
            written += bytes
            let count = buffer.withUnsafeMutableBytes { queue.copy(into: $0) }
            read += buffer[..<count]
        }
        read += drain(&queue, pieces: 64)
        #expect(read == written)
    }

    @Test func copiesNothingFromAnEmptyQueue() {
        var queue = ByteQueue()
        queue.append([])
        var buffer: [UInt8] = [9]
        #expect(buffer.withUnsafeMutableBytes { queue.copy(into: $0) } == 0)
        #expect(buffer == [9])
    }
}
