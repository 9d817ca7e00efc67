/// Decides what becomes of the bytes of one connection: bytes in, steps out.
///
/// Without a fault every byte is passed on. It knows HTTP as far as it must to tell the exchanges of a connection
/// apart: a request is passed on when it is whole, an answer as it comes.
package struct FaultPlan: Sendable {
    private let isIgnored: Bool
    private var requests = RequestScanner()
    private var responses = ResponseScanner()
    /// The exchanges whose answers are to come, the next one first.
    private var answers: [AnswerFaults] = []
    private var isOver = false

    /// Makes the plan of a connection.
    ///
    /// - Parameter fault: What hits the connection as a whole.
    package init(_ fault: Fault? = nil) {
        isIgnored = fault == .ignore
        isOver = fault == .refuse
    }

    /// The connection was accepted.
    package func opened() -> [FaultStep] {
        isOver ? [.end(.reset)] : []
    }

    /// The client sent bytes; the script says what hits the exchanges that begin with them.
    package mutating func receivedFromClient(_ bytes: [UInt8], _ script: inout FaultScript) -> [FaultStep] {
        if isOver || isIgnored { return [] }
        var steps: [FaultStep] = []
        for (request, bytes) in requests.feed(bytes) {
            steps.append(.note(request))
            let faults = script.faults(for: request)
            guard case .answer(let answer, let ending)? = faults.first else {
                answers.append(AnswerFaults(faults))
                steps.append(.toService(bytes))
                continue
            }
            steps.append(.toClient(answer))
            if let ending {
                isOver = true
                return steps + [.end(ending)]
            }
        }
        return steps
    }

    /// The service sent bytes.
    package mutating func receivedFromService(_ bytes: [UInt8]) -> [FaultStep] {
        isOver ? [] : pass(responses.feed(bytes))
    }

    /// The service ended its connection.
    package mutating func serviceEnded(_ ending: Fault.Ending) -> [FaultStep] {
        if isOver { return [] }
        let steps = pass(responses.finish())
        if isOver { return steps }
        isOver = true
        return steps + [.end(ending)]
    }

    /// From now on every byte is passed on.
    package mutating func lift() {
        for index in answers.indices { answers[index].lift() }
    }

    private mutating func pass(_ parts: [ResponseScanner.Part]) -> [FaultStep] {
        var steps: [FaultStep] = []
        for part in parts {
            if answers.isEmpty { answers.append(AnswerFaults([])) }
            switch part {
            case .head(let bytes, let isChunked): steps += answers[0].passHead(bytes, isChunked: isChunked)
            case .content(let bytes): steps += answers[0].passContent(bytes)
            case .end: steps += answers.removeFirst().passEnd()
            }
            if case .end? = steps.last {
                isOver = true
                break
            }
        }
        return steps
    }
}
