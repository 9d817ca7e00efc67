import Dispatch
import FaultProxy
import FlagLocking
import Foundation

/// A TCP connection to a port of the loopback address: raw bytes, read and written on a queue of its own.
final class RawConnection: Sendable {
    /// How the other side ended it.
    enum End: Sendable {
        case finish
        case reset
    }

    /// Nothing listens at the port.
    struct Refused: Error {}

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "raw connection")
    private let buffer = Lock<[UInt8]>([])

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Connects.
    static func open(_ port: UInt16) async throws -> RawConnection {
        let descriptor = await withCheckedContinuation { continuation in
            DispatchQueue(label: "raw connection").async {
                continuation.resume(returning: BlockingSocket.connect(port: port))
            }
        }
        guard let descriptor else { throw Refused() }
        return RawConnection(descriptor)
    }

    /// Sends text as it is.
    func send(_ text: String) async {
        await run { [descriptor] in BlockingSocket.send(descriptor, Array(text.utf8)) }
    }

    /// Reads until the text has arrived, and returns everything up to its end.
    ///
    /// At the end of the connection it returns what there is.
    func read(until text: String) async -> String {
        await run { [self] in
            let wanted = Array(text.utf8)
            while true {
                let found: String? = buffer.withLock { buffer in
                    guard let end = buffer.firstRange(of: wanted)?.upperBound else { return nil }
                    defer { buffer.removeFirst(end) }
                    return String(decoding: buffer[..<end], as: UTF8.self)
                }
                if let found { return found }
                guard case .success(let bytes) = BlockingSocket.receive(descriptor), !bytes.isEmpty else {
                    return takeRest()
                }
                buffer.withLock { $0 += bytes }
            }
        }
    }

    /// Reads everything, and how it ends.
    func readToEnd() async -> (text: String, end: End) {
        await run { [self] in
            while true {
                switch BlockingSocket.receive(descriptor) {
                case .failure: return (takeRest(), .reset)
                case .success([]): return (takeRest(), .finish)
                case .success(let bytes): buffer.withLock { $0 += bytes }
                }
            }
        }
    }

    /// Closes it; nothing may be called afterwards.
    func close() {
        BlockingSocket.close(descriptor)
    }

    private func takeRest() -> String {
        buffer.withLock { buffer in
            defer { buffer = [] }
            return String(decoding: buffer, as: UTF8.self)
        }
    }

    private func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
