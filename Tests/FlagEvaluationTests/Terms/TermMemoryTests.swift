import Testing

@testable import FlagEvaluation

@Suite struct TermMemoryTests {
    @Test func givesEachAllocationItsOwnAlignedAddress() {
        var memory = TermMemory(blockSize: 64)
        defer { memory.deallocate() }
        var addresses: Set<UInt> = []
        for size in [0, 0, 1, 7, 8, 9, 100, 0, 1000, 3] {
            let address = memory.allocate(size)
            address.initializeMemory(as: UInt8.self, repeating: 0xAA, count: size)
            #expect(UInt(bitPattern: address) % 8 == 0)
            #expect(addresses.insert(UInt(bitPattern: address)).inserted)
        }
    }

    @Test func countsWhatItProduces() throws {
        var memory = TermMemory(allowance: 100)
        defer { memory.deallocate() }
        _ = try memory.produce(60)
        #expect(throws: RuleFault.tooManyBytes) { try memory.produce(41) }
        _ = try memory.produce(40)
        _ = memory.allocate(1000)
    }

    @Test func beginsInABorrowedBlock() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { block in
            var memory = TermMemory(borrowing: block, blockSize: 64)
            defer { memory.deallocate() }
            #expect(memory.allocate(40) == block.baseAddress)
            let next = UInt(bitPattern: memory.allocate(40))
            let start = UInt(bitPattern: block.baseAddress)
            #expect(next < start || next >= start + 64)
        }
    }
}
