import FlagLocking

/// Where reads find the values in effect: written by the client, read from any thread.
///
/// All that readers share is here, so that a quicker way to share it changes this file alone.
final class SnapshotCell: Sendable {
    private let current = Lock(FlagSnapshot.empty)

    /// The values in effect.
    func load() -> FlagSnapshot {
        current.withLock { $0 }
    }

    /// Puts other values in effect: every read that starts after this call gives them.
    func store(_ snapshot: FlagSnapshot) {
        // The former values are let go of after the lock, as that can take as long as there are flags.
        let former = current.withLock { current in
            defer { current = snapshot }
            return current
        }
        withExtendedLifetime(former) {}
    }
}
