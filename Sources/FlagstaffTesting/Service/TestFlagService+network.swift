import FlagLocking
import FlagModel
import Flagstaff

extension TestFlagService {
    // MARK: The network between client and service

    /// Whether there is no network.
    ///
    /// Going offline cuts the streams, and lets every request fail from then on, those that are held too. Back online,
    /// clients come back by themselves in their own time: move the clock, or call `refresh`.
    public var isOffline: Bool {
        get { model.withLock { $0.isOffline } }
        set {
            update { model in
                model.isOffline = newValue
                guard newValue else { return }
                model.endStreams(.network)
                let held = model.held
                model.held = []
                for pending in held {
                    pending.timer?.cancel()
                    model.fail(pending, with: .network)
                }
            }
        }
    }

    /// How every request fails that is not held or planned to fail otherwise; `nil`, the default, for not at all.
    ///
    /// Streams are not requests in this sense: see ``streamFault``.
    public var fault: TestFault? {
        get { model.withLock { $0.fault } }
        set { model.withLock { $0.fault = newValue } }
    }

    /// How every stream is refused that is opened; `nil`, the default, for not at all.
    ///
    /// Open streams stay: see ``endStreams(with:)``.
    public var streamFault: TestFault? {
        get { model.withLock { $0.streamFault } }
        set { model.withLock { $0.streamFault = newValue } }
    }

    /// After how many seconds by the client's clock requests are answered.
    ///
    /// Default 0: at once. Streams are opened at once always.
    public var answerDelay: Double {
        get { model.withLock { $0.answerDelay } }
        set { model.withLock { $0.answerDelay = newValue > 0 ? newValue : 0 } }
    }

    /// How many seconds, by the client's clock, pass between two signs of life on a stream.
    ///
    /// Default 15, as a service does; `nil`: streams are silent until something changes, and clients give them up.
    /// Takes effect after the next sign of life, and for streams that are opened later.
    public var heartbeatInterval: Double? {
        get { model.withLock { $0.heartbeatInterval } }
        set { model.withLock { $0.heartbeatInterval = newValue.flatMap { $0 > 0 ? $0 : nil } } }
    }

    /// How many streams are open.
    public var openStreamCount: Int {
        model.withLock { model in
            model.clients.values.reduce(0) { $0 + $1.streams.values.filter(\.isOpen).count }
        }
    }

    /// Ends all open streams.
    ///
    /// Clients open them again in their own time, and ask at intervals until then.
    ///
    /// - Parameter fault: ``TestFault/network`` breaks the connections; any other ends them as a service does that is
    ///   shut down. Default ``TestFault/network``.
    public func endStreams(with fault: TestFault = .network) {
        update { $0.endStreams(fault) }
    }

    /// Sends text over all open streams, such as a message that no client can read.
    ///
    /// - Parameter text: Lines of a `text/event-stream`.
    public func sendOverStreams(_ text: String) {
        update { model in
            for client in model.clients.values {
                for stream in client.streams.values where stream.isOpen {
                    stream.exchange.send(.bytes(Array(text.utf8)))
                }
            }
        }
    }

    func heartbeat(_ id: Int, of client: ServiceModel.ClientNumber) {
        update(of: client) { $0.heartbeat(id, of: client) }
    }
}
