/// What a stream knows: an event goes in, what is to be done comes out.
///
/// No I/O, no locks.
struct HTTPStreamState {
    /// What a writer has to do after its event.
    enum WriterAction: Equatable {
        case nothing
        /// The connection waits: wake it.
        case resume
        /// The stream was cut: cut the connection, and wake it if it waits.
        case disconnect(resuming: Bool)
    }

    /// What the connection has to do after asking for bytes.
    enum ReaderAction: Equatable {
        /// This many bytes were copied; more than none.
        case copied(Int)
        /// There is nothing yet: wait until a writer resumes the connection.
        ///
        /// With `releasingBuffer`, enough of the connection's buffer was used to give its memory back meanwhile.
        case suspend(releasingBuffer: Bool)
        /// Everything has been sent: end the response properly.
        case finish
        /// The stream was cut, and its connection with it.
        case abort
    }

    private enum Connection {
        case none
        case reading
        case suspended
        case gone
    }

    private var connection = Connection.none
    private var queue = ByteQueue()
    private var bufferLimit: Int
    private var ending: HTTPStream.CloseReason?
    private var isCut = false
    // How far into its buffer the connection has written since it gave the memory back. The head of the request
    // went through all of it.
    private var usedBufferBytes = Int.max

    /// A stream without connection, which refuses bytes beyond the limit.
    init(bufferLimit: Int) {
        self.bufferLimit = bufferLimit
    }

    /// Bytes that wait for the connection.
    var bufferedBytes: Int { queue.byteCount }

    /// Whether writes are accepted.
    var isOpen: Bool { ending == nil && connection != .gone }

    /// Why the stream ended, as far as it is known.
    var closeReason: HTTPStream.CloseReason? { ending }

    /// Takes bytes to send.
    ///
    /// - Returns: whether they were accepted, and what to do.
    mutating func write(_ bytes: [UInt8]) -> (accepted: Bool, action: WriterAction) {
        guard isOpen else { return (false, .nothing) }
        guard !bytes.isEmpty else { return (true, .nothing) }
        // One large write to a reader that keeps up is fine; a backlog is not.
        if queue.byteCount > 0, queue.byteCount + bytes.count > bufferLimit {
            ending = .slowReader
            return (false, cut())
        }
        queue.append(bytes)
        return (true, wake())
    }

    /// No more bytes will be written; those that wait are still sent.
    mutating func finish(_ reason: HTTPStream.CloseReason) -> WriterAction {
        guard isOpen else { return .nothing }
        ending = reason
        return wake()
    }

    /// Drops what waits and the connection with it.
    ///
    /// Overrides an earlier `finish` that is still being sent.
    mutating func abort(_ reason: HTTPStream.CloseReason) -> WriterAction {
        guard connection != .gone, !isCut else { return .nothing }
        ending = ending ?? reason
        return cut()
    }

    /// A connection begins to send the stream.
    ///
    /// - Returns: false when the stream has, or had, a connection already.
    mutating func attach(bufferLimit: Int?) -> Bool {
        guard connection == .none else { return false }
        connection = .reading
        if let bufferLimit {
            self.bufferLimit = bufferLimit
        }
        return true
    }

    /// The connection asks for bytes.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> ReaderAction {
        if isCut {
            return .abort
        }
        if queue.byteCount > 0 {
            let count = queue.copy(into: buffer)
            usedBufferBytes = max(usedBufferBytes, count)
            return .copied(count)
        }
        if ending != nil {
            return .finish
        }
        connection = .suspended
        let isReleasing = usedBufferBytes > ConnectionBuffer.keptBytes
        if isReleasing {
            usedBufferBytes = 0
        }
        return .suspend(releasingBuffer: isReleasing)
    }

    /// The connection is done with the stream, whatever the reason.
    mutating func detach(_ reason: HTTPStream.CloseReason) -> HTTPStream.CloseReason {
        connection = .gone
        queue = ByteQueue()
        let final = ending ?? reason
        ending = final
        return final
    }

    private mutating func wake() -> WriterAction {
        guard connection == .suspended else { return .nothing }
        connection = .reading
        return .resume
    }

    private mutating func cut() -> WriterAction {
        isCut = true
        queue = ByteQueue()
        switch connection {
        case .suspended:
            connection = .reading
            return .disconnect(resuming: true)
        case .reading:
            return .disconnect(resuming: false)
        case .none, .gone:
            return .nothing
        }
    }
}
