import FlagLocking
import Flagstaff
import Foundation

/// One check in progress: a transport, a server, and what went wrong.
final class TransportRun: Sendable {
    let transport: any FlagTransport
    let server: any ConformanceServer
    private let check: String
    private let state = Lock(State())

    private struct State: Sendable {
        var lastID = 0
        var failures: [ConformanceFailure] = []
        var recorders: [TransportRecorder] = []
    }

    /// A time-out to wait for, in seconds.
    let shortTimeout: Double
    private let patience: Double

    init(
        check: String, transport: any FlagTransport, server: any ConformanceServer, patience: Double,
        shortTimeout: Double
    ) {
        self.patience = patience
        self.shortTimeout = shortTimeout
        self.check = check
        self.transport = transport
        self.server = server
    }

    /// What went wrong so far.
    var failures: [ConformanceFailure] { state.withLock { $0.failures } }

    /// Notes that something went wrong.
    func fail(_ message: String) {
        state.withLock { $0.failures.append(ConformanceFailure(check: check, message: message)) }
    }

    /// Notes what is not as it should be.
    func expect(_ isRight: Bool, _ message: @autoclosure () -> String) {
        if !isRight { fail(message()) }
    }

    // MARK: Requests

    /// A request to the server.
    func request(
        _ path: String, method: String = "POST", headers: [String: String] = [:],
        body: [UInt8]? = Array("{}".utf8), idleTimeout: Double = 20, isReachable: Bool = true
    ) -> FlagTransportRequest {
        let base = isReachable ? server.url : server.unreachableURL
        let url = URL(string: path, relativeTo: base)?.absoluteURL ?? base
        return FlagTransportRequest(
            method: method, url: url, headers: headers, body: method == "GET" ? nil : body,
            idleTimeout: idleTimeout)
    }

    /// Sends a request.
    func send(_ request: FlagTransportRequest) -> TransportRecorder {
        let recorder = makeRecorder()
        transport.send(request, id: recorder.id) { recorder.record(.result($0)) }
        return recorder
    }

    /// Opens a stream.
    ///
    /// `onSignal` runs inside the transport's handler.
    func open(
        _ request: FlagTransportRequest,
        onSignal: @escaping @Sendable (TransportRecorder, FlagTransportSignal) -> Void = { _, _ in }
    ) -> TransportRecorder {
        let recorder = makeRecorder()
        transport.open(request, id: recorder.id) { signal in
            recorder.record(.signal(signal))
            onSignal(recorder, signal)
        }
        return recorder
    }

    private func makeRecorder() -> TransportRecorder {
        state.withLock { state in
            state.lastID += 1
            let recorder = TransportRecorder(id: state.lastID, patience: patience)
            state.recorders.append(recorder)
            return recorder
        }
    }

    // MARK: Ends

    /// Waits until all that was sent is over, as it must be when the transport is closed.
    func awaitEnds() async {
        for recorder in state.withLock({ $0.recorders }) {
            do {
                try await recorder.end()
            } catch {
                fail("a request has no end after `close`")
            }
        }
    }

    /// Checks that everything ended once and nothing came afterwards.
    func checkCounts() {
        for recorder in state.withLock({ $0.recorders }) {
            let reports = recorder.reports
            let ends = reports.filter(\.isEnd).count
            if ends > 1 { fail("the end of a request was told \(ends) times") }
            if let first = reports.firstIndex(where: \.isEnd), first != reports.count - 1 {
                fail("something was told after the end of a request")
            }
        }
    }
}

/// What a transport told about one request.
final class TransportRecorder: Sendable {
    enum Report: Sendable {
        case result(Result<FlagTransportResponse, FlagTransportError>)
        case signal(FlagTransportSignal)

        var isEnd: Bool {
            switch self {
            case .result, .signal(.ended): true
            case .signal: false
            }
        }
    }

    let id: Int
    private let patience: Double
    private let state = Lock<[Report]>([])
    private let signal = ChangeSignal()

    init(id: Int, patience: Double) {
        self.patience = patience
        self.id = id
    }

    /// What was told so far.
    var reports: [Report] { state.withLock { $0 } }

    /// Takes note.
    func record(_ report: Report) {
        state.withLock { $0.append(report) }
        signal.notify()
    }

    /// The bytes of a stream so far.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for case .signal(.bytes(let more)) in reports { bytes += more }
        return bytes
    }

    /// Waits until the request is over, and gives how: `nil` for as it should be.
    @discardableResult
    func end() async throws -> FlagTransportError? {
        try await signal.value("the end of a request", within: patience) { () -> FlagTransportError?? in
            switch reports.first(where: \.isEnd) {
            case .result(.failure(let error)): .some(error)
            case .signal(.ended(let error)): .some(error)
            case .result(.success): .some(nil)
            default: nil
            }
        }
    }

    /// Waits for the answer to a request.
    func answer() async throws -> FlagTransportResponse {
        let result = try await signal.value("the answer to a request", within: patience) {
            if case .result(let result) = reports.first(where: \.isEnd) { result } else { nil }
        }
        return try result.get()
    }

    /// Waits for the head of a stream.
    func head() async throws -> FlagTransportHead {
        try await signal.value("the head of a stream", within: patience) {
            for case .signal(.head(let head)) in reports { return head }
            return nil
        }
    }

    /// Waits until a stream has brought so many bytes.
    func bytes(_ count: Int) async throws -> [UInt8] {
        try await signal.value("\(count) bytes of a stream", within: patience) {
            bytes.count >= count ? bytes : nil
        }
    }
}
