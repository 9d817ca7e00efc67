import Foundation

/// Where threads run.
enum Processor {
    /// How long the calling thread has had a processor.
    static var threadNanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Keeps the calling thread on one of the machine's processors, where the system lets it.
    ///
    /// A thread that is woken tends to be put on its waker's processor, and two that are to run at once on the same.
    static func pin(to number: Int) {
        #if os(Linux)
            // Linux has it, Swift's view of the C library does not.
            typealias SetAffinity = @convention(c) (Int32, Int, UnsafeRawPointer) -> Int32
            guard let symbol = dlsym(nil, "sched_setaffinity") else { return }
            let setAffinity = unsafeBitCast(symbol, to: SetAffinity.self)
            let processor = number % ProcessInfo.processInfo.activeProcessorCount
            var chosen = [UInt8](repeating: 0, count: 128)
            chosen[processor / 8] = 1 << (processor % 8)
            _ = setAffinity(0, chosen.count, chosen)
        #endif
    }
}
