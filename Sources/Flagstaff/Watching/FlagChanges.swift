import FlagLocking

/// The changes of a client's values over time, each with all values before and after.
///
/// Made by ``FlagClient/changes``. To be read by one loop; every access of the property makes a sequence of its own.
public struct FlagChanges: AsyncSequence, Sendable {
    /// One change, or several that a slower loop gets as one.
    public typealias Element = FlagChange

    let box: ChangeBox
    let bell: AsyncStream<Void>

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(box: box, bell: bell.makeAsyncIterator())
    }

    /// Delivers the changes one by one.
    public struct Iterator: AsyncIteratorProtocol {
        let box: ChangeBox
        var bell: AsyncStream<Void>.Iterator

        /// The next change; `nil` after the client is closed or the task cancelled.
        public mutating func next() async -> FlagChange? {
            while await bell.next() != nil {
                if let change = box.take() { return change }
            }
            return nil
        }
    }
}

@available(*, unavailable)
extension FlagChanges.Iterator: Sendable {}

/// Where the changes for one sequence wait: as one.
final class ChangeBox: Sendable {
    private let pending = Lock<FlagChange?>(nil)
    private let bell: AsyncStream<Void>.Continuation

    /// - Parameter bell: Rung with each change, so that the sequence looks.
    init(bell: AsyncStream<Void>.Continuation) {
        self.bell = bell
    }

    /// Adds a change.
    func put(_ change: FlagChange) {
        pending.withLock { $0 = $0?.merged(with: change) ?? change }
        bell.yield()
    }

    /// Takes out what has changed since the last time; `nil` when nothing differs any more.
    func take() -> FlagChange? {
        let change = pending.withLock { pending in
            defer { pending = nil }
            return pending
        }
        return change?.settled()
    }

    /// Ends the sequence; what was put before is still delivered.
    func finish() {
        bell.finish()
    }
}
