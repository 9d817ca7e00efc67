import Foundation

/// How many times memory was allocated, by a counter that a script puts in front of the allocator
/// (`Benchmarks/allocations.c`).
struct AllocationCounter {
    private typealias Function = @convention(c) () -> UInt64
    private let function: Function

    /// Finds the counter; `nil` where there is none.
    init?() {
        guard let symbol = dlsym(nil, "flagstaff_allocations") else { return nil }
        function = unsafeBitCast(symbol, to: Function.self)
    }

    /// How many allocations there were since the process began.
    var count: Int { Int(function()) }
}

/// The memory that the process has in use.
enum ResidentMemory {
    /// In bytes; 0 where the system does not say it in Linux's way.
    static var bytes: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return 0 }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
