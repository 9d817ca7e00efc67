import FlagModel

@testable import Flagstaff

/// A service for random runs: flags whose values only grow, answers frozen when they are evaluated and delivered
/// whenever the run likes.
struct ModelService {
    /// A fetch on its way there or back.
    struct Fetch {
        let id: Int
        let request: FetchRequest
        var result: FetchResult?
    }

    /// A connection of a stream, with what is on its way.
    struct Connection {
        let id: Int
        let request: StreamRequest
        var isAccepted = false
        /// What the client has when all on the way has arrived.
        var sent: [String: FlagValue] = [:]
        var queue: [StreamInput] = []
        var isCut = false
        var hasEnded = false
    }

    var fetches: [Fetch] = []
    var connections: [Connection] = []
    var offer: [EventStream]?
    private(set) var flags: [String: Int64] = ["a": 1, "b": 1, "c": 1]
    private var revision = 1

    init(offer: [EventStream]?) {
        self.offer = offer
    }

    /// Whether something is on its way or waits for an answer.
    var hasWork: Bool {
        !fetches.isEmpty
            || connections.contains { !$0.queue.isEmpty || !($0.isAccepted || $0.isCut || $0.hasEnded) }
    }

    /// What the service evaluates for a context now: the flags, and whose they are.
    func values(for context: FlagContext) -> [String: FlagValue] {
        var values = flags.mapValues(FlagValue.int)
        values["who"] = .string(context.targetingKey ?? "")
        return values
    }

    func etag(for context: FlagContext) -> String {
        "\(context.targetingKey ?? "")-\(revision)"
    }

    /// Changes a flag, and tells who is connected.
    mutating func change(_ key: String) {
        revision += 1
        flags[key, default: 0] += 1
        for index in connections.indices where connections[index].isAccepted { push(to: index) }
    }

    /// Evaluates a fetch, or fails it.
    mutating func evaluate(_ index: Int, failure: FetchResult?) {
        let request = fetches[index].request
        if let failure {
            fetches[index].result = failure
        } else if request.etag == etag(for: request.context) {
            fetches[index].result = .notModified
        } else {
            fetches[index].result = Answers.fresh(
                values(for: request.context), etag: etag(for: request.context), streams: offer)
        }
    }

    /// Accepts a stream: its first message is on the way.
    mutating func accept(_ index: Int) {
        let request = connections[index].request
        connections[index].isAccepted = true
        connections[index].queue.append(.opened)
        guard request.kind == .evaluations else { return }
        connections[index].sent = values(for: request.context)
        let etag = etag(for: request.context)
        connections[index].queue.append(
            request.etag == etag
                ? .evaluations(.current(etag: etag), id: nil)
                : Answers.put(connections[index].sent, etag: etag))
    }

    private mutating func push(to index: Int) {
        let request = connections[index].request
        guard request.kind == .evaluations else {
            connections[index].queue.append(.notice(RefetchNotice(etag: "\(revision)"), id: nil))
            return
        }
        let values = values(for: request.context)
        let changed = values.filter { connections[index].sent[$0.key] != $0.value }
        connections[index].sent = values
        connections[index].queue.append(Answers.patch(changed, etag: etag(for: request.context)))
    }

    /// Ends a connection: what is on the way still arrives.
    mutating func end(_ index: Int, _ failure: ServiceFailure) {
        guard !connections[index].hasEnded else { return }
        connections[index].isAccepted = false
        connections[index].hasEnded = true
        connections[index].queue.append(.ended(failure))
    }
}
