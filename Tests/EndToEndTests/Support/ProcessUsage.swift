import Foundation

/// What this process holds of the system, where the system tells.
struct ProcessUsage: CustomStringConvertible {
    /// Open sockets.
    var sockets: Int
    /// Threads.
    var threads: Int
    /// Memory in KiB that is in use.
    var resident: Int

    /// Takes the figures; `nil` where there is no `/proc`.
    static func now() -> ProcessUsage? {
        let files = FileManager.default
        guard let descriptors = try? files.contentsOfDirectory(atPath: "/proc/self/fd"),
            let threads = try? files.contentsOfDirectory(atPath: "/proc/self/task"),
            let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let resident = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        let sockets = descriptors.count {
            (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?.hasPrefix("socket:")
                ?? false
        }
        return ProcessUsage(sockets: sockets, threads: threads.count, resident: resident)
    }

    /// Whether the process runs under Thread Sanitizer, which keeps what was freed for a while.
    static let isSanitized = dlsym(nil, "__tsan_init") != nil

    var description: String { "\(sockets) sockets, \(threads) threads, \(resident) KiB resident" }
}
