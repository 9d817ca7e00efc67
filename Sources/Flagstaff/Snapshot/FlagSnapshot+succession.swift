import Foundation

extension FlagSnapshot {
    /// Before any values: what a new client reads from.
    static let empty = empty(coercion: nil)

    /// Before any values, with a rule for types that all that follow have too.
    static func empty(coercion: FlagCoercion?) -> FlagSnapshot {
        FlagSnapshot(
            contents: Contents(
                context: FlagContext(), resolutions: [:], metadata: [:], etag: nil, version: 0, updated: nil,
                isStale: false, coercion: coercion))
    }

    /// What the service answered for a context just now, for those who store it without a client.
    package static func received(
        _ evaluation: BulkEvaluation, etag: String?, for context: FlagContext
    ) -> FlagSnapshot {
        empty.replaced(by: evaluation, etag: etag, context: context, time: Date())
    }

    /// What was stored for a context, received at that time.
    static func cached(
        _ resolutions: [String: FlagResolution], metadata: [String: FlagValue], etag: String?,
        context: FlagContext, time: Date
    ) -> FlagSnapshot {
        FlagSnapshot(
            contents: Contents(
                context: context, resolutions: resolutions, metadata: metadata, etag: etag, version: 1,
                updated: time, isStale: false, origin: .cache))
    }

    /// What follows when values are found that were stored for a context.
    func restored(from cached: FlagSnapshot) -> FlagSnapshot {
        successor(
            context: cached.context, resolutions: cached.resolutions, metadata: cached.metadata,
            etag: cached.etag, updated: cached.updated, origin: .cache, origins: [:])
    }

    /// What follows when the service sent all flags of a context.
    ///
    /// Of two flags with one key the last is kept.
    func replaced(
        by evaluation: BulkEvaluation, etag: String?, context: FlagContext, time: Date
    ) -> FlagSnapshot {
        let resolutions = Dictionary(
            evaluation.flags.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
        return successor(
            context: context, resolutions: resolutions, metadata: evaluation.metadata, etag: etag,
            updated: time, origin: .network, origins: [:])
    }

    /// What follows when some flags changed and some are gone.
    ///
    /// Without new metadata the old stays.
    func patched(
        changed: [FlagResolution], removed: [String], metadata: [String: FlagValue]?, etag: String?,
        time: Date
    ) -> FlagSnapshot {
        var resolutions = contents.resolutions
        for key in removed { resolutions[key] = nil }
        for resolution in changed { resolutions[resolution.key] = resolution }
        return successor(
            context: context, resolutions: resolutions, metadata: metadata ?? self.metadata, etag: etag,
            updated: time)
    }

    /// The same values, known to be current at that time under that ETag.
    func confirmed(etag: String?, time: Date) -> FlagSnapshot {
        successor(
            context: context, resolutions: resolutions, metadata: metadata, etag: etag, updated: time,
            origin: .network)
    }

    /// The same values, marked as those of a context that is no longer the one in effect.
    func markedStale() -> FlagSnapshot {
        successor(
            context: context, resolutions: resolutions, metadata: metadata, etag: nil, updated: updated,
            isStale: true)
    }

    /// No values, for another context.
    func dropped(for context: FlagContext) -> FlagSnapshot {
        successor(
            context: context, resolutions: [:], metadata: [:], etag: nil, updated: nil, origin: .network,
            origins: [:])
    }

    /// The keys whose resolutions differ from those of a former snapshot, sorted.
    func changedKeys(since former: FlagSnapshot) -> [String] {
        if contents === former.contents { return [] }
        var keys: [String] = []
        for (key, resolution) in resolutions where former.resolutions[key] != resolution { keys.append(key) }
        for key in former.resolutions.keys where resolutions[key] == nil { keys.append(key) }
        return keys.sorted()
    }

    private func successor(
        context: FlagContext, resolutions: [String: FlagResolution], metadata: [String: FlagValue],
        etag: String?,
        updated: Date?, isStale: Bool = false, origin: FlagOrigin? = nil,
        origins: [String: FlagOrigin]? = nil
    ) -> FlagSnapshot {
        FlagSnapshot(
            contents: Contents(
                context: context, resolutions: resolutions, metadata: metadata, etag: etag,
                version: version + 1,
                updated: updated, isStale: isStale, origin: origin ?? contents.origin,
                origins: origins ?? contents.origins, coercion: contents.coercion))
    }
}
