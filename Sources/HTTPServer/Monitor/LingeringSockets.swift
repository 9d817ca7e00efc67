import CMicroHTTPD

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Sockets of clients that were answered before they had sent all of their request.
///
/// Closing a socket on which bytes still arrive resets the connection, and the reset can overtake the answer. So
/// what still arrives is read and thrown away for a while, within bounds. Not thread-safe.
struct LingeringSockets {
    /// Sockets at the same time; others are closed at once.
    static let capacity = 128
    /// How long a client may take to finish, in milliseconds.
    static let timeLimit: Int64 = 30_000
    /// How long a client may send nothing meanwhile, in milliseconds.
    static let idleLimit: Int64 = 5000
    /// How much a client may still send.
    static let byteLimit = 32 * 1_048_576

    private struct Entry {
        let socket: Int32
        let deadline: Int64
        var idleDeadline: Int64
        var remainingBytes = byteLimit
    }

    private var entries: [Entry] = []
    private var scratch = [UInt8](repeating: 0, count: 65_536)

    /// The sockets to be polled for reading.
    var sockets: [Int32] { entries.map(\.socket) }

    /// Takes a socket over.
    mutating func add(_ socket: Int32, now: Int64) {
        guard entries.count < Self.capacity else {
            close(socket)
            return
        }
        entries.append(
            Entry(socket: socket, deadline: now + Self.timeLimit, idleDeadline: now + Self.idleLimit))
    }

    /// Reads what has arrived, and closes what has ended or is over its bounds.
    mutating func service(now: Int64) {
        var kept: [Entry] = []
        for var entry in entries {
            if now < min(entry.deadline, entry.idleDeadline), drain(&entry, now: now) {
                kept.append(entry)
            } else {
                close(entry.socket)
            }
        }
        entries = kept
    }

    /// Closes everything.
    mutating func closeAll() {
        entries.forEach { close($0.socket) }
        entries = []
    }

    // Whether there may be more to come.
    private mutating func drain(_ entry: inout Entry, now: Int64) -> Bool {
        while entry.remainingBytes > 0 {
            let count = flagstaff_receive_now(entry.socket, &scratch, scratch.count)
            if count < 0 {
                return errno == EAGAIN || errno == EINTR
            }
            guard count > 0 else { return false }
            entry.remainingBytes -= count
            entry.idleDeadline = now + Self.idleLimit
        }
        return false
    }
}
