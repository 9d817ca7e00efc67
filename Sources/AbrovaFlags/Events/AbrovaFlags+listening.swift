import Flagstaff

extension AbrovaFlags {
    /// Calls back with each event from now on, on the main thread and in order.
    ///
    /// Where there are values already, ``AbrovaFlagsEvent/ready`` comes first. The client keeps the listener until the
    /// token is cancelled or the client is closed or let go of, whether or not somebody keeps the token.
    ///
    /// - Parameter listener: Called with each event.
    /// - Returns: What ends the calls.
    @discardableResult
    public func addListener(_ listener: @escaping (AbrovaFlagsEvent) -> Void) -> AbrovaFlagsToken {
        let callback = MainThreadCallback(listener)
        let token = client.onEvent(on: .main) { event in
            if let event = AbrovaFlagsEvent(event) { callback.callOnMainThread(with: event) }
        }
        return AbrovaFlagsToken(id: listeners.add(token), listeners: listeners)
    }
}

extension AbrovaFlagsEvent {
    /// What the app is told of an event of the native client; `nil` for nothing.
    init?(_ event: FlagEvent) {
        switch event.kind {
        case .ready: self = .ready
        case .changed: self = .updated(changedKeys: event.changedKeys)
        case .error, .stopped:
            guard let error = event.error else { return nil }
            self = .error(AbrovaFlagsError(error))
        default: return nil
        }
    }
}

extension AbrovaFlagsError {
    /// What the app is told of an error of the native client.
    init(_ error: FlagClientError) {
        let kind: Kind =
            switch error.code {
            case .network: .network
            case .timedOut: .timeout
            case .unauthorized: .unauthorized
            case .forbidden: .forbidden
            case .notFound: .notFound
            case .rateLimited: .rateLimited
            case .serverError: .server
            default: .invalidResponse
            }
        self.init(
            kind: kind, statusCode: error.status, code: error.code.rawValue, message: error.message)
    }
}
