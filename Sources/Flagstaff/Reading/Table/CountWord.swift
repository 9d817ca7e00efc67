/// The word of a cell that says what a read finds there, under which generation, and how often it was read.
///
/// From the lowest bit: 26 bits count reads, 10 bits count pins, 26 bits are the generation, 2 bits are the content.
/// One compare-and-exchange of all of it does three things at once: it counts a read, it proves that the payload read
/// before belongs to the generation that the read is counted on, and it can pin what the payload points to.
struct CountWord: Equatable, Sendable {
    /// What a read finds in the cell.
    enum Content: UInt64, Sendable {
        /// Nothing that can be relied on: the read asks under the lock.
        case closed = 0
        /// A value.
        case served = 1
        /// That the code's default applies.
        case useDefault = 2
    }

    /// The word as it is stored.
    var bits: UInt64

    /// One more read.
    static let read: UInt64 = 1
    /// One more reader that is taking what the payload points to.
    static let pin: UInt64 = 1 << 26

    /// The highest generation; the next is 0 again.
    static let generationLimit: UInt64 = 1 << 26 - 1

    private static let generationMask: UInt64 = generationLimit << 36
    // Half of what the fields can hold, so that no number of threads that look at once can carry over.
    private static let fullCount: UInt64 = 1 << 25
    private static let fullPins: UInt64 = 1 << 35

    /// Makes the word of a cell that nobody has read under this generation.
    init(_ content: Content, generation: UInt64) {
        bits = content.rawValue << 62 | (generation << 36) & Self.generationMask
    }

    /// Takes a word as it is stored.
    @inline(__always)
    init(bits: UInt64) {
        self.bits = bits
    }

    /// Which of the flag's results this is.
    var generation: UInt64 { (bits >> 36) & Self.generationLimit }
    /// How many reads there were.
    var count: UInt64 { bits & (Self.pin - 1) }
    /// How many readers are taking what the payload points to.
    var pins: Int { Int((bits >> 26) & 0x3FF) }
    /// Whether reads find a value or a default here.
    @inline(__always)
    var isOpen: Bool { bits >> 62 != 0 }
    /// Whether a value is served.
    @inline(__always)
    var isServed: Bool { bits >> 62 == Content.served.rawValue }
    /// Whether a read has to ask under the lock: the cell is closed, or its counts are to be taken out first.
    @inline(__always)
    var needsLock: Bool { bits >> 62 == 0 || bits & (Self.fullCount | Self.fullPins) != 0 }

    /// Whether both words have the same generation; 2^26 changes of a flag later a number comes again.
    @inline(__always)
    func hasGeneration(of other: CountWord) -> Bool {
        (bits ^ other.bits) & Self.generationMask == 0
    }
}
