import AbrovaFlags
import FlagLocking
import FlagstaffTesting
import Dispatch
import Foundation

/// Listens to a client, and tells whether it was called on the main queue.
final class EventRecorder: Sendable {
    let token: AbrovaFlagsToken
    /// The events, for a test to take one by one.
    let events: FlagProbe<AbrovaFlagsEvent>
    private let offMain = Lock(0)

    init(_ flags: AbrovaFlags) {
        MainQueue.mark()
        let (stream, continuation) = AsyncStream<AbrovaFlagsEvent>.makeStream()
        token = flags.addListener { [offMain] event in
            if !MainQueue.isCurrent { offMain.withLock { $0 += 1 } }
            continuation.yield(event)
        }
        events = FlagProbe(stream)
    }

    /// How many events arrived elsewhere than on the main queue.
    var countOffMainQueue: Int { offMain.withLock { $0 } }
}

/// The main queue, which on Linux is not bound to the main thread where nothing runs its loop.
enum MainQueue {
    private static let key = DispatchSpecificKey<Bool>()

    /// Makes it known to ``isCurrent``.
    static func mark() {
        DispatchQueue.main.setSpecific(key: key, value: true)
    }

    /// Whether the caller is on it.
    static var isCurrent: Bool {
        #if canImport(Darwin)
            if !Thread.isMainThread { return false }
        #endif
        return DispatchQueue.getSpecific(key: key) == true
    }
}

/// Waits until all is delivered that was on its way to the main queue.
func mainQueueIsEmpty() async {
    await withCheckedContinuation { continuation in
        DispatchQueue.main.async { continuation.resume() }
    }
}
