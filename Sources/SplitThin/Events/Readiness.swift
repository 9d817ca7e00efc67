import Flagstaff

/// What a client has told its listeners of, and what comes next: a pure state machine.
struct Readiness: Sendable {
    /// Something to tell.
    enum News: Hashable, Sendable {
        case readyFromCache(SdkReadyFromCacheMetadata)
        case ready(SdkReadyMetadata)
        case timedOut
        case update(SdkUpdateMetadata)
    }

    /// What a flag is to an app.
    struct Entry: Hashable, Sendable {
        var treatment: Treatment
        var flagSets: [String]
        /// The flag's version, of which alone nobody is told.
        var changeNumber: Int64?

        func differs(from other: Entry?) -> Bool {
            treatment != other?.treatment || flagSets != other?.flagSets
        }
    }

    /// Whom values must be for; others are those of a former target, and late.
    private var context: FlagContext
    /// What is known when values come.
    private(set) var fromCache: SdkReadyFromCacheMetadata?
    private(set) var isReady = false
    private(set) var isDestroyed = false
    private var hasTimedOut = false
    /// What the app knows of.
    private var entries: [String: Entry] = [:]

    init(_ context: FlagContext) {
        self.context = context
    }

    /// What a listener that comes late is told.
    var past: [News] {
        var news: [News] = []
        if let fromCache { news.append(.readyFromCache(fromCache)) }
        if isReady { news.append(.ready(ready)) }
        return news
    }

    private var ready: SdkReadyMetadata {
        SdkReadyMetadata(
            lastUpdateTimestamp: fromCache?.lastUpdateTimestamp,
            isInitialCacheLoad: fromCache?.isInitialCacheLoad ?? true)
    }

    /// Values of a former session are here.
    mutating func cached(_ entries: [String: Entry], of context: FlagContext, timestamp: Int64?) -> [News] {
        guard !isDestroyed, !isReady, fromCache == nil, context == self.context else { return [] }
        self.entries = entries
        let metadata = SdkReadyFromCacheMetadata(lastUpdateTimestamp: timestamp, isInitialCacheLoad: false)
        fromCache = metadata
        return [.readyFromCache(metadata)]
    }

    /// The service's values are here.
    mutating func synced(_ entries: [String: Entry], of context: FlagContext) -> [News] {
        if isDestroyed || context != self.context { return [] }
        let former = self.entries
        self.entries = entries
        guard isReady else {
            var news: [News] = []
            if fromCache == nil {
                let metadata = SdkReadyFromCacheMetadata(lastUpdateTimestamp: nil, isInitialCacheLoad: true)
                fromCache = metadata
                news.append(.readyFromCache(metadata))
            }
            isReady = true
            return news + [.ready(ready)]
        }
        var names = former.keys.filter { entries[$0] == nil }
        for (name, entry) in entries where entry.differs(from: former[name]) { names.append(name) }
        if names.isEmpty { return [] }
        return [
            .update(
                SdkUpdateMetadata(
                    type: .flagsUpdate, names: names.sorted(),
                    changeNumber: names.compactMap { entries[$0]?.changeNumber }.max()))
        ]
    }

    /// Another target is in effect, and nothing is known of it.
    mutating func change(to context: FlagContext) {
        self.context = context
        entries = [:]
    }

    /// The time for getting ready is up.
    mutating func timedOut() -> [News] {
        guard !isDestroyed, !isReady, !hasTimedOut else { return [] }
        hasTimedOut = true
        return [.timedOut]
    }

    /// The client is at its end.
    mutating func destroy() {
        isDestroyed = true
    }
}
