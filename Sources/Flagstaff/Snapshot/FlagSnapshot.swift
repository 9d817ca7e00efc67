public import Foundation

/// All flags of one context at one moment.
///
/// It never changes; copying it costs one reference.
public struct FlagSnapshot: Sendable {
    /// The contents; a class, so that a snapshot is one reference to retain on each read.
    final class Contents: Sendable {
        let context: FlagContext
        let resolutions: [String: FlagResolution]
        let metadata: [String: FlagValue]
        let etag: String?
        let version: Int
        let updated: Date?
        let isStale: Bool
        /// Where the values come from, but for those in ``origins``.
        let origin: FlagOrigin
        /// Where single values come from, by their flags' keys: overrides, bootstrap values.
        let origins: [String: FlagOrigin]
        /// What reads tell of all flags.
        let scope: ReadScope
        /// The rule for types, where it is not the usual one.
        let coercion: FlagCoercion?

        init(
            context: FlagContext, resolutions: [String: FlagResolution], metadata: [String: FlagValue],
            etag: String?, version: Int, updated: Date?, isStale: Bool,
            origin: FlagOrigin = .network, origins: [String: FlagOrigin] = [:],
            coercion: FlagCoercion? = nil
        ) {
            self.context = context
            self.resolutions = resolutions
            self.metadata = metadata
            self.etag = etag
            self.version = version
            self.updated = updated
            self.isStale = isStale
            self.origin = origin
            self.origins = origins
            self.coercion = coercion
            scope = ReadScope(
                context: context, metadata: metadata, isReady: updated != nil, isStale: isStale)
        }
    }

    let contents: Contents

    /// The context that the flags were evaluated for.
    public var context: FlagContext { contents.context }
    /// The flags by key.
    public var resolutions: [String: FlagResolution] { contents.resolutions }
    /// What is attached to the whole set of flags.
    public var metadata: [String: FlagValue] { contents.metadata }
    /// Grows by at least one with each change of the client's values.
    ///
    /// 0: there were none yet.
    public var version: Int { contents.version }
    /// When the values were last received from the service, by this device's clock; `nil` when they never were.
    public var updated: Date? { contents.updated }
    /// Whether there are values: an empty set that the service sent counts, "nothing came yet" does not.
    public var isReady: Bool { contents.updated != nil }
    /// Whether another context has been set, whose values are not here yet.
    public var isStale: Bool { contents.isStale }
    /// The keys of all flags, sorted.
    public var keys: [String] { contents.resolutions.keys.sorted() }

    /// What the service called this state, sent back as `If-None-Match`.
    var etag: String? { contents.etag }
}

extension FlagSnapshot: FlagReader {
    /// The snapshot itself.
    public var snapshot: FlagSnapshot { self }
}

extension FlagSnapshot: CustomStringConvertible {
    /// Version and number of flags: nothing personal, fit for logs.
    public var description: String {
        "FlagSnapshot(version \(version), \(resolutions.count) flags\(isStale ? ", stale" : ""))"
    }
}
