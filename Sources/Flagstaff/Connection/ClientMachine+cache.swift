extension ClientMachine {
    /// A search for stored values.
    struct CacheSearch: Hashable, Sendable {
        let id: Int
    }

    /// Looks for stored values of a context that was just set; its first fetch waits for them, but not for long.
    mutating func searchCache(isStart: Bool) {
        cacheSearch = nil
        cancel(.cacheLimit)
        guard settings.hasCache, isStart || settings.contextSwitch != .dropAtOnce else { return }
        let id = nextNumber()
        cacheSearch = CacheSearch(id: id)
        act(.loadCache(id, context))
        schedule(.cacheLimit, after: settings.cacheLimit)
    }

    /// The search is over.
    ///
    /// Stored values of another context than that in effect are of no use, and the service's own are never replaced by
    /// them, however late they come.
    mutating func cacheLoaded(_ id: Int, _ found: FlagSnapshot?) {
        guard cacheSearch?.id == id else { return }
        cacheSearch = nil
        cancel(.cacheLimit)
        if let found, !holdsContext, found.context == context { serve(found) }
        goOn()
    }

    /// The disk takes its time: the fetch begins, and stored values are served if they still come before it ends.
    mutating func cacheIsLate() {
        act(.log(.debug, "stored values are slow to come; not waiting for them"))
        goOn()
    }

    private mutating func serve(_ found: FlagSnapshot) {
        let hadNone = visible.resolutions.isEmpty
        snapshot = snapshot.restored(from: found)
        let keys = publish()
        let isFirst = becomeReady(.cache)
        act(.emit(FlagEvent(kind: .cached, cause: .cache)))
        if !keys.isEmpty, !isFirst || !hadNone {
            act(.emit(FlagEvent(kind: .changed, changedKeys: keys, cause: .cache)))
        }
        complete(.cached) { $0.takesCached }
    }
}
