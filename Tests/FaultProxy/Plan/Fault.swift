/// What goes wrong with a connection, or with one exchange of a request and its answer on it.
package enum Fault: Hashable, Sendable {
    /// The connection is reset as soon as it is accepted.
    case refuse
    /// The connection is accepted, and nothing that arrives on it is ever passed on or answered.
    case ignore
    /// The service never sees the request; the client gets these bytes as they are, then what the ending says.
    case answer([UInt8], then: Ending?)
    /// The answer is held back from there on for so many seconds.
    case delay(at: Position, seconds: Double)
    /// The answer is held back from there on until ``FaultProxy/release(_:)`` names the gate.
    case hold(at: Position, gate: String)
    /// From there on the answer arrives in pieces of so many bytes, one each interval of so many seconds.
    case drip(at: Position, bytes: Int, every: Double)
    /// The connection ends there; what the service sends further is dropped.
    case cut(at: Position, Ending)
    /// So many bytes from there on have these bits inverted.
    case corrupt(at: Position, count: Int, bits: UInt8)
    /// So many bytes from there on get lost; the frame of their chunk still counts them.
    case drop(at: Position, count: Int)
    /// So many bytes from there on arrive twice; the frame of their chunk counts them once.
    case duplicate(at: Position, count: Int)
    /// Bytes that the service never sent arrive there, in a chunk of their own where there are chunks.
    case insert(at: Position, [UInt8])
    /// Where the answer is sent in chunks, a chunk's frame is broken there.
    case breakChunk(at: Position)

    /// How a connection ends.
    package enum Ending: Hashable, Sendable {
        /// In order: the other side reads an end of the bytes.
        case finish
        /// Reset: the other side gets an error.
        case reset
    }

    /// A place in an answer, in bytes from 0.
    package enum Position: Hashable, Sendable {
        /// After so many bytes of the head.
        case head(Int)
        /// After so many bytes of the content; the frames of chunks do not count.
        case content(Int)

        /// The place before the first byte.
        package static let start = Position.head(0)
    }

    /// Whether it hits a connection as a whole, when it is accepted.
    package var isOfConnection: Bool { self == .refuse || self == .ignore }

    /// Where in the answer it happens; `nil` for faults that do not wait for an answer.
    package var position: Position? {
        switch self {
        case .refuse, .ignore, .answer: nil
        case .delay(let at, _), .hold(let at, _), .drip(let at, _, _), .cut(let at, _),
            .corrupt(let at, _, _), .drop(let at, _), .duplicate(let at, _), .insert(let at, _),
            .breakChunk(let at):
            at
        }
    }
}
