import Dispatch
import FlagEvaluation
import FlagLocking
import FlagModel
import HTTPServer

/// All open streams: opens them, tells them of changes, keeps them alive, and lets them go.
///
/// Everything happens on one serial queue, so that what a stream is told is in order. The work of a change is the
/// changed flags times the streams: what is the same for all is computed once.
package final class StreamHub: Sendable {
    /// How streams are kept.
    package struct Configuration: Sendable {
        /// Each stream gets a sign of life at this interval in seconds.
        ///
        /// Default 15.
        package var heartbeatInterval: Int
        /// How many streams may be open; more are refused with 503.
        ///
        /// Default 100,000.
        package var maximumStreams: Int
        /// How many bytes the body that opens a stream of evaluations may have, as its context is kept.
        ///
        /// Default 65,536.
        package var maximumContextBytes: Int

        /// Makes a configuration.
        package init(
            heartbeatInterval: Int = 15, maximumStreams: Int = 100_000, maximumContextBytes: Int = 65_536
        ) {
            self.heartbeatInterval = max(1, heartbeatInterval)
            self.maximumStreams = maximumStreams
            self.maximumContextBytes = maximumContextBytes
        }
    }

    private enum Kind {
        case evaluations(EvaluationFeed)
        /// The standard's notices, for holders of a key.
        case notices(FlagView.Identity)
    }

    private struct Open {
        var stream: HTTPStream
        var kind: Kind
    }

    /// What new streams are admitted by.
    private struct State {
        var nextID: UInt64 = 0
        /// Admitted, whether or not opened yet.
        var admitted = 0
        var isClosed = false
    }

    /// What only the queue touches: evaluating for all streams takes its time, and no other thread waits for it.
    private final class Confined: @unchecked Sendable {
        // Unchecked, because the compiler cannot see that every use is on the one serial queue.
        var open: [UInt64: Open] = [:]
        var ticks = 0
        /// The rules that the last notice told of.
        var noticed: Fingerprint?
    }

    private let configuration: Configuration
    private let rules: PublishedRules
    private let clock: @Sendable () -> Int64
    private let metrics: ServiceMetrics
    private let queue = DispatchQueue(label: "flagstaff.streams", qos: .userInitiated)
    private let state = Lock(State())
    private let confined = Confined()

    /// A comment that fills the first 512 bytes, which some clients' HTTP libraries hold back otherwise.
    private static let padding = ServerSentEvent.comment(String(repeating: " ", count: 512))
    private static let heartbeat = Array(":\n\n".utf8)

    /// Makes a hub without streams; its clock ticks from now on.
    init(
        configuration: Configuration, rules: PublishedRules, metrics: ServiceMetrics,
        clock: @escaping @Sendable () -> Int64
    ) {
        self.configuration = configuration
        self.rules = rules
        self.metrics = metrics
        self.clock = clock
        scheduleTick()
    }

    /// How many streams are open.
    var count: Int { state.withLock { $0.admitted } }

    /// After how many seconds a client that found no room should come back: soon, and not all at once, where the
    /// service is ending and another takes its place.
    var retryDelay: Int {
        state.withLock { $0.isClosed } ? .random(in: 1...5) : 30
    }

    /// Opens a stream of evaluations; `nil` when there are too many.
    func openEvaluations(
        body: [UInt8], contextFingerprint: Fingerprint, view: FlagView, ifNoneMatch: String?
    ) -> HTTPStream? {
        admit { [self] stream, id in
            // The rules can have changed since the request was let in.
            let present = rules.view(as: view.identity) ?? view
            var feed = EvaluationFeed(body: body, contextFingerprint: contextFingerprint, view: present)
            let bytes = Self.padding + feed.opening(ifNoneMatch: ifNoneMatch, now: clock())
            keep(stream, id, .evaluations(feed), first: bytes)
        }
    }

    /// Opens a stream of the standard's notices; `nil` when there are too many.
    func openNotices(identity: FlagView.Identity) -> HTTPStream? {
        admit { [self] stream, id in
            keep(stream, id, .notices(identity), first: Self.padding)
        }
    }

    /// Tells all streams that other rules are in force.
    ///
    /// Several calls in a row can become one message.
    func rulesChanged() {
        queue.async { self.tellChanges() }
    }

    /// Asks all clients to come back after a while, each after another, and ends the streams.
    ///
    /// Returns when that is written.
    func close() {
        state.withLock { $0.isClosed = true }
        queue.sync {
            for open in confined.open.values {
                _ = open.stream.write(ServerSentEvent.retry(milliseconds: .random(in: 500...5_000)))
                open.stream.finish()
            }
            confined.open = [:]
        }
    }

    // MARK: On the queue

    private func admit(_ open: @escaping @Sendable (HTTPStream, UInt64) -> Void) -> HTTPStream? {
        let id: UInt64? = state.withLock { state in
            guard !state.isClosed, state.admitted < configuration.maximumStreams else { return nil }
            state.admitted += 1
            state.nextID += 1
            return state.nextID
        }
        guard let id else { return nil }
        let stream = HTTPStream(onClose: { [weak self] _ in
            guard let self else { return }
            self.queue.async { self.forget(id) }
        })
        queue.async { open(stream, id) }
        return stream
    }

    private func keep(_ stream: HTTPStream, _ id: UInt64, _ kind: Kind, first: [UInt8]) {
        _ = stream.write(first)
        if state.withLock({ $0.isClosed }) {
            stream.finish()
        } else {
            confined.open[id] = Open(stream: stream, kind: kind)
        }
    }

    private func forget(_ id: UInt64) {
        confined.open[id] = nil
        state.withLock { $0.admitted -= 1 }
    }

    private func tellChanges() {
        let now = clock()
        let start = DispatchTime.now().uptimeNanoseconds
        let fingerprint = rules.status.fingerprint
        let notice = fingerprint == confined.noticed ? nil : Self.notice(fingerprint)
        confined.noticed = fingerprint
        var changes: [ObjectIdentifier: ViewChange] = [:]
        var count = 0
        for id in Array(confined.open.keys) {
            guard let open = confined.open[id] else { continue }
            switch open.kind {
            case .evaluations(var feed):
                let former = feed.view.selection
                guard let present = rules.view(as: feed.view.identity), present !== feed.view else {
                    continue
                }
                var change = changes[ObjectIdentifier(former)]
                // Rules can change while this goes through the streams; what was found for others does not fit then.
                if change == nil || change?.former !== former || change?.present !== present.selection {
                    change = ViewChange(from: former, to: present.selection)
                    changes[ObjectIdentifier(former)] = change
                }
                guard let change else { continue }
                let bytes = feed.update(to: present, change: change, now: now)
                confined.open[id]?.kind = .evaluations(feed)
                _ = open.stream.write(bytes)
            case .notices:
                guard let notice else { continue }
                _ = open.stream.write(notice)
            }
            count += 1
        }
        metrics.published(streams: count, nanoseconds: DispatchTime.now().uptimeNanoseconds - start)
    }

    /// Ticks each second until the hub is closed or gone.
    private func scheduleTick() {
        queue.asyncAfter(deadline: .now() + 1) { [weak self] in
            guard let self, !self.state.withLock({ $0.isClosed }) else { return }
            self.tick()
            self.scheduleTick()
        }
    }

    private func tick() {
        let now = clock()
        confined.ticks += 1
        let interval = UInt64(configuration.heartbeatInterval)
        let slot = UInt64(confined.ticks) % interval
        for id in Array(confined.open.keys) {
            guard let open = confined.open[id] else { continue }
            if case .evaluations(var feed) = open.kind, let bytes = feed.tick(now: now) {
                confined.open[id]?.kind = .evaluations(feed)
                _ = open.stream.write(bytes)
            } else if id % interval == slot {
                _ = open.stream.write(Self.heartbeat)
            }
        }
    }

    private static func notice(_ fingerprint: Fingerprint?) -> [UInt8] {
        let etag = fingerprint?.description
        return ServerSentEvent(data: RefetchNotice(etag: etag).data, id: etag).bytes
    }
}
