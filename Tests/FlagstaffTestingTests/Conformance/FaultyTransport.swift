import Flagstaff
import FlagstaffTesting

/// A transport that does one thing wrong.
final class FaultyTransport: FlagTransport {
    enum Fault: CaseIterable, Sendable {
        case completesTwice
        case endsAStreamTwice
        case isSilentAboutCuts
        case doesNotCut
        case callsCutsAFaultOfTheNetwork
        case goesOnAfterClose
        case doesNotCutOnClose
        case dropsHeaders
        case dropsTheBody
        case alwaysPosts
        case hidesTheStatus
        case hidesHeaders
        case shortensAnswers
        case holdsStreamsBack
        case endsBrokenStreamsProperly
        case reordersBytes
        case givesTheHeadLast
        case neverTimesOut
        case mixesAnswersUp
    }

    private let base: any FlagTransport
    private let fault: Fault
    private let isClosed = Box(false)
    private let held = Box<[Int: [FlagTransportSignal]]>([:])
    private let completions = Box<[@Sendable () -> Void]>([])

    init(_ base: any FlagTransport, _ fault: Fault) {
        self.base = base
        self.fault = fault
    }

    func send(
        _ request: FlagTransportRequest, id: Int,
        completion: @escaping @Sendable (Result<FlagTransportResponse, FlagTransportError>) -> Void
    ) {
        if fault == .goesOnAfterClose, isClosed.value {
            return completion(.success(.init(head: .init(status: 200, headers: [:]), body: [])))
        }
        base.send(changed(request), id: id) { [fault, completions] result in
            switch (fault, result) {
            case (.completesTwice, _):
                completion(result)
                completion(result)
            case (.isSilentAboutCuts, .failure(let error)) where error.kind == .cancelled: break
            case (.callsCutsAFaultOfTheNetwork, .failure(let error)) where error.kind == .cancelled:
                completion(.failure(.init(kind: .network, message: "")))
            case (.hidesTheStatus, .success(var response)):
                response.head.status = 200
                completion(.success(response))
            case (.hidesHeaders, .success(var response)):
                response.head.headers = [:]
                completion(.success(response))
            case (.shortensAnswers, .success(var response)):
                response.body = Array(response.body.prefix(100_000))
                completion(.success(response))
            case (.mixesAnswersUp, .success(let response))
            where response.body.starts(with: Array("call".utf8)):
                completions.value.append {
                    completion(.success(.init(head: response.head, body: Array("call 0".utf8))))
                }
                for completion in completions.value { completion() }
                completions.value = []
            default: completion(result)
            }
        }
    }

    func open(
        _ request: FlagTransportRequest, id: Int, receive: @escaping @Sendable (FlagTransportSignal) -> Void
    ) {
        base.open(changed(request), id: id) { [fault, held] signal in
            switch (fault, signal) {
            case (.endsAStreamTwice, .ended):
                receive(signal)
                receive(signal)
            case (.isSilentAboutCuts, .ended(let error?)) where error.kind == .cancelled: break
            case (.holdsStreamsBack, .bytes), (.reordersBytes, .bytes), (.givesTheHeadLast, .head):
                held.value[id, default: []].append(signal)
            case (.holdsStreamsBack, .ended), (.givesTheHeadLast, .ended):
                for signal in held.value[id] ?? [] { receive(signal) }
                receive(signal)
            case (.reordersBytes, .ended):
                for signal in (held.value[id] ?? []).reversed() { receive(signal) }
                receive(signal)
            case (.endsBrokenStreamsProperly, .ended(let error?)) where error.kind == .network:
                receive(.ended(nil))
            default: receive(signal)
            }
        }
    }

    func cancel(_ id: Int) {
        if fault != .doesNotCut { base.cancel(id) }
    }

    func close() {
        isClosed.value = true
        if fault != .doesNotCutOnClose { base.close() }
    }

    private func changed(_ request: FlagTransportRequest) -> FlagTransportRequest {
        var request = request
        switch fault {
        case .dropsHeaders: request.headers = [:]
        case .dropsTheBody: request.body = nil
        case .alwaysPosts: request.method = "POST"
        case .neverTimesOut: request.idleTimeout = 1000
        default: break
        }
        return request
    }
}
