/// What becomes of one answer.
struct AnswerFaults: Sendable {
    private enum Place: Sendable {
        case head
        case content
    }

    /// Bytes of which something is done to so many.
    private struct Span: Sendable {
        var left = 0
        var bits: UInt8 = 0
        /// What is to be sent a second time.
        var kept: [UInt8] = []
    }

    /// The faults to come.
    private var faults: [Fault]
    private var isChunked = false
    private var headOffset = 0
    private var contentOffset = 0
    private var corrupted = Span()
    private var dropped = Span()
    private var duplicated = Span()
    private var drip: (bytes: Int, seconds: Double)?
    private var steps: [FaultStep] = []

    init(_ faults: [Fault]) {
        self.faults = faults
    }

    /// The head has arrived.
    mutating func passHead(_ bytes: [UInt8], isChunked: Bool) -> [FaultStep] {
        self.isChunked = isChunked
        guard pass(bytes, .head) else { return takeSteps() }
        // What is to happen at the beginning of the content does not wait for content.
        _ = beginFaults(.content)
        return takeSteps()
    }

    /// Content has arrived.
    mutating func passContent(_ bytes: [UInt8]) -> [FaultStep] {
        _ = pass(bytes, .content)
        return takeSteps()
    }

    /// The answer is complete.
    func passEnd() -> [FaultStep] {
        isChunked ? [.toClient(Array("0\r\n\r\n".utf8))] : []
    }

    /// Nothing more happens to it.
    mutating func lift() {
        faults = []
        drip = nil
        corrupted = Span()
        dropped = Span()
        duplicated = Span()
    }

    private mutating func takeSteps() -> [FaultStep] {
        defer { steps = [] }
        return steps
    }

    /// Passes on bytes with what happens to them; `false` after the connection's end.
    private mutating func pass(_ bytes: [UInt8], _ place: Place) -> Bool {
        var rest = bytes[...]
        while beginFaults(place) {
            if rest.isEmpty { return true }
            var count = rest.count
            if let next = nextFault(place) { count = min(count, next - offset(place)) }
            for span in [corrupted, dropped, duplicated] where span.left > 0 { count = min(count, span.left) }
            send(Array(rest.prefix(count)), place)
            rest = rest.dropFirst(count)
            if place == .head { headOffset += count } else { contentOffset += count }
        }
        return false
    }

    private func offset(_ place: Place) -> Int { place == .head ? headOffset : contentOffset }

    private func offset(of fault: Fault, in place: Place) -> Int? {
        switch (fault.position, place) {
        case (.head(let offset)?, .head), (.content(let offset)?, .content): offset
        default: nil
        }
    }

    private func nextFault(_ place: Place) -> Int? {
        faults.compactMap { offset(of: $0, in: place) }.min()
    }

    /// Begins the faults whose place is reached, in their order; `false` when one ends the connection.
    private mutating func beginFaults(_ place: Place) -> Bool {
        let reached = offset(place)
        while let index = faults.firstIndex(where: { (offset(of: $0, in: place) ?? .max) <= reached }) {
            switch faults.remove(at: index) {
            case .cut(_, let ending):
                steps.append(.end(ending))
                return false
            case .delay(_, let seconds): steps.append(.wait(seconds))
            case .hold(_, let gate): steps.append(.hold(gate))
            case .drip(_, let bytes, let seconds): drip = (max(1, bytes), seconds)
            case .corrupt(_, let count, let bits): corrupted = Span(left: count, bits: bits)
            case .drop(_, let count): dropped = Span(left: count)
            case .duplicate(_, let count): duplicated = Span(left: count)
            case .insert(_, let bytes): write(bytes, place)
            case .breakChunk: steps.append(.toClient(Array("zz\r\n".utf8)))
            case .refuse, .ignore, .answer: break
            }
        }
        return true
    }

    /// Sends bytes that the same things happen to.
    private mutating func send(_ bytes: [UInt8], _ place: Place) {
        var bytes = bytes
        let count = bytes.count
        if corrupted.left > 0 {
            bytes = bytes.map { $0 ^ corrupted.bits }
            corrupted.left -= count
        }
        if dropped.left > 0 {
            bytes = []
            dropped.left -= count
        }
        if duplicated.left > 0 {
            duplicated.kept += bytes
            duplicated.left -= count
            if duplicated.left == 0 { bytes += duplicated.kept }
        }
        write(bytes, place, framedAs: count)
    }

    /// Sends bytes in the pieces and frames that they go in.
    ///
    /// The size is what the frame of a chunk says, `nil` for what is true: bytes that get lost or doubled on the way
    /// leave a frame that is no longer true.
    private mutating func write(_ bytes: [UInt8], _ place: Place, framedAs size: Int? = nil) {
        guard let drip, size == nil || size == bytes.count else {
            return frame(bytes[...], place, size: size ?? bytes.count)
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(drip.bytes)
            frame(piece, place, size: piece.count)
            steps.append(.wait(drip.seconds))
            rest = rest.dropFirst(drip.bytes)
        }
    }

    private mutating func frame(_ bytes: ArraySlice<UInt8>, _ place: Place, size: Int) {
        if isChunked, place == .content {
            steps.append(.toClient(Array("\(String(size, radix: 16))\r\n".utf8) + bytes + [13, 10]))
        } else if !bytes.isEmpty {
            steps.append(.toClient(Array(bytes)))
        }
    }
}
