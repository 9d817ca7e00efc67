import Dispatch
import FlagLocking

@testable import SplitThin

/// A listener that keeps what it hears, as text.
final class Recorder: SplitEventListener {
    private let state = Lock<[String]>([])

    var stories: [String] { state.withLock { $0 } }

    func onReady(_ metadata: SdkReadyMetadata) {
        note("ready\(metadata.isInitialCacheLoad ? "" : " cached")")
    }

    func onReadyFromCache(_ metadata: SdkReadyFromCacheMetadata) {
        note(
            "fromCache\(metadata.isInitialCacheLoad ? " initial" : "")\(metadata.lastUpdateTimestamp == nil ? "" : " dated")"
        )
    }

    func onReadyTimedOut() { note("timedOut") }

    func onUpdate(_ metadata: SdkUpdateMetadata) {
        note("update " + metadata.names.joined(separator: ","))
    }

    private func note(_ story: String) {
        state.withLock { $0.append(story) }
    }

    /// Waits until it has heard of so many things.
    func wait(for count: Int) async {
        while stories.count < count { await Task.yield() }
    }
}
