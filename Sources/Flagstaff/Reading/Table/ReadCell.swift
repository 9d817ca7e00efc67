import CFlagAtomics

/// Where reads of one flag as one kind find what is served, and are counted: a word and a payload for each stripe.
///
/// Threads are spread over stripes by their numbers, so that two that read the same flag write to different parts of
/// memory. Only the word and the payload of the thread's own stripe are touched by a read.
struct ReadCell: Equatable, @unchecked Sendable {
    // Unchecked, as the compiler knows nothing of the memory behind the pointer: the table owns it for as long as
    // there are reads, and it is touched by atomic operations alone.

    /// The word of stripe 0; its payload follows.
    let base: UnsafeMutablePointer<UInt64>

    /// The distance between the words of two stripes, in words.
    static let stride = 512

    /// What a read found.
    enum Finding {
        /// The value's bits; the read is counted.
        case served(UInt64)
        /// The default; the read is counted.
        case useDefault
        /// Nothing: ask under the lock. The read is not counted.
        case needsLock
    }

    /// What a read found that may point to an object.
    enum PinnedFinding {
        /// The object's address, safe to use until ``unpin(_:since:)``; whether it is served or the default applies.
        case object(UInt, isServed: Bool, since: CountWord)
        /// Nothing: ask under the lock. Nothing is pinned or counted.
        case needsLock
    }

    /// The word of a stripe.
    @inline(__always)
    func word(_ stripe: Int) -> UnsafeMutablePointer<UInt64> {
        base + stripe &* Self.stride
    }

    /// Reads what is served and counts the read on it, in one step.
    ///
    /// The payload is read between two looks at the word, the second of which is the count. A writer closes the word
    /// before it touches the payload and opens it after, so where the word stayed the same, the payload did.
    @inline(__always)
    func take(_ stripe: Int) -> Finding {
        let word = word(stripe)
        var seen = flag_load_acquire(word)
        while true {
            let payload = flag_load_relaxed(word + 1)
            if CountWord(bits: seen).needsLock { return .needsLock }
            if flag_compare_exchange(word, &seen, seen &+ CountWord.read) {
                return CountWord(bits: seen).isServed ? .served(payload) : .useDefault
            }
        }
    }

    /// Reads the address of the object behind what is served, and keeps it from being freed until it is unpinned.
    ///
    /// - Parameters:
    ///   - stripe: The thread's stripe.
    ///   - reads: What to add for the read: ``CountWord/read``, or 0 when it is counted later.
    /// - Returns: The address, where the cell is open.
    @inline(__always)
    func pin(_ stripe: Int, counting reads: UInt64) -> PinnedFinding {
        let word = word(stripe)
        var seen = flag_load_acquire(word)
        while true {
            let payload = flag_load_relaxed(word + 1)
            let content = CountWord(bits: seen)
            if content.needsLock { return .needsLock }
            if flag_compare_exchange(word, &seen, seen &+ CountWord.pin &+ reads) {
                return .object(UInt(truncatingIfNeeded: payload), isServed: content.isServed, since: content)
            }
        }
    }

    /// Gives the object free again.
    ///
    /// - Returns: `false` when the flag has changed since: the writer has noted the pin, and it is to be given back
    ///   under the lock.
    @inline(__always)
    func unpin(_ stripe: Int, since pinned: CountWord) -> Bool {
        let word = word(stripe)
        var seen = flag_load_acquire(word)
        while CountWord(bits: seen).hasGeneration(of: pinned) {
            if flag_compare_exchange(word, &seen, seen &- CountWord.pin) { return true }
        }
        return false
    }

    /// Counts a read of what was served under a generation.
    ///
    /// - Returns: `false` when the flag has changed since, or the cell is closed or full: the read is to be counted
    ///   under the lock.
    func count(_ stripe: Int, since pinned: CountWord) -> Bool {
        let word = word(stripe)
        var seen = flag_load_acquire(word)
        while !CountWord(bits: seen).needsLock, CountWord(bits: seen).hasGeneration(of: pinned) {
            if flag_compare_exchange(word, &seen, seen &+ CountWord.read) { return true }
        }
        return false
    }
}
