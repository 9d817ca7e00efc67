/// Hears of a client's life: what it does not implement, it does not hear of.
///
/// Called on a queue of the client's own, one call after the other. The client keeps its listeners until they are removed or
/// it is destroyed.
public protocol SplitEventListener: AnyObject {
    /// The service's values are here.
    ///
    /// - Parameter metadata: What is known of them.
    func onReady(_ metadata: SdkReadyMetadata)
    /// Values can be read: those of a former session, or none, just before ``onReady(_:)``.
    ///
    /// - Parameter metadata: What is known of them.
    func onReadyFromCache(_ metadata: SdkReadyFromCacheMetadata)
    /// The service's values are not here in time; they may still come.
    func onReadyTimedOut()
    /// Values have changed.
    ///
    /// - Parameter metadata: Which.
    func onUpdate(_ metadata: SdkUpdateMetadata)
}

extension SplitEventListener {
    /// Does nothing.
    public func onReady(_ metadata: SdkReadyMetadata) {}
    /// Does nothing.
    public func onReadyFromCache(_ metadata: SdkReadyFromCacheMetadata) {}
    /// Does nothing.
    public func onReadyTimedOut() {}
    /// Does nothing.
    public func onUpdate(_ metadata: SdkUpdateMetadata) {}
}

/// What is known of the values that a client is ready with.
public struct SdkReadyMetadata: Hashable, Sendable {
    /// When stored values were brought up to date, in milliseconds since 1970; `nil` where there were none.
    public let lastUpdateTimestamp: Int64?
    /// Whether there were no stored values.
    public let isInitialCacheLoad: Bool
}

/// What is known of the values that a client begins with.
public struct SdkReadyFromCacheMetadata: Hashable, Sendable {
    /// When stored values were brought up to date, in milliseconds since 1970; `nil` where there were none.
    public let lastUpdateTimestamp: Int64?
    /// Whether there were no stored values.
    public let isInitialCacheLoad: Bool
}

/// What an update was about.
public enum SdkUpdateMetadataType: Sendable {
    /// Flags changed.
    case flagsUpdate
    /// Segments changed; the service tells of flags alone.
    case segmentsUpdate
}

/// What has changed.
public struct SdkUpdateMetadata: Hashable, Sendable {
    /// What it was about.
    public let type: SdkUpdateMetadataType
    /// The flags whose treatment, configuration or sets are others, sorted.
    public let names: [String]
    /// The highest version of those, where they have one.
    public let changeNumber: Int64?
}
