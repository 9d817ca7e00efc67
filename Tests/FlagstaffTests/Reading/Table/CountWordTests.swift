import Testing

@testable import Flagstaff

@Suite struct CountWordTests {
    @Test func fieldsDoNotTouchEachOther() {
        var word = CountWord(.served, generation: CountWord.generationLimit)
        word.bits += 3 * CountWord.read + 2 * CountWord.pin
        #expect(word.count == 3)
        #expect(word.pins == 2)
        #expect(word.generation == CountWord.generationLimit)
        #expect(word.isOpen)
        #expect(word.isServed)
        #expect(!word.needsLock)
    }

    @Test func generationsWrapAround() {
        let word = CountWord(.useDefault, generation: CountWord.generationLimit + 2)
        #expect(word.generation == 1)
        #expect(!word.isServed)
        #expect(word.isOpen)
        #expect(word.hasGeneration(of: CountWord(.closed, generation: 1)))
        #expect(!word.hasGeneration(of: CountWord(.useDefault, generation: 2)))
    }

    @Test func zeroedMemoryIsAClosedCell() {
        #expect(CountWord(bits: 0) == CountWord(.closed, generation: 0))
        #expect(CountWord(bits: 0).needsLock)
    }

    @Test func fullCountsAskForTheLockLongBeforeTheyCarryOver() {
        var word = CountWord(.served, generation: 5)
        word.bits += (1 << 25 - 1) * CountWord.read
        #expect(!word.needsLock)
        word.bits += CountWord.read
        #expect(word.needsLock)
        #expect(word.generation == 5)
        word = CountWord(.served, generation: 5)
        word.bits += 511 * CountWord.pin
        #expect(!word.needsLock)
        word.bits += CountWord.pin
        #expect(word.needsLock)
        #expect(word.generation == 5)
    }
}
