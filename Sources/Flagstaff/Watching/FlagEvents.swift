/// The events of a client's life, in order, from the moment on when ``FlagClient/events`` was read.
///
/// To be read by one loop; every access of the property makes a sequence of its own.
public struct FlagEvents: AsyncSequence, Sendable {
    /// One event.
    public typealias Element = FlagEvent

    let stream: AsyncStream<FlagEvent>

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: stream.makeAsyncIterator())
    }

    /// Delivers the events one by one.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<FlagEvent>.Iterator

        /// The next event; `nil` after the client is closed or the task cancelled.
        public mutating func next() async -> FlagEvent? {
            await base.next()
        }
    }
}

@available(*, unavailable)
extension FlagEvents.Iterator: Sendable {}
