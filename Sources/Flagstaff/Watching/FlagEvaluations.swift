/// The reads that code makes of a client's flags, in order, from the moment on when ``FlagClient/evaluations`` was read.
///
/// To be read by one loop; every access of the property makes a sequence of its own.
public struct FlagEvaluations: AsyncSequence, Sendable {
    /// One read, with its value as the service sent it.
    ///
    /// A default is there as a flag would serve it, `null` where its
    /// type cannot be written so.
    public typealias Element = FlagEvaluation<FlagValue>

    let stream: AsyncStream<FlagEvaluation<FlagValue>>

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: stream.makeAsyncIterator())
    }

    /// Delivers the reads one by one.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<FlagEvaluation<FlagValue>>.Iterator

        /// The next read; `nil` after the client is closed or the task cancelled.
        public mutating func next() async -> FlagEvaluation<FlagValue>? {
            await base.next()
        }
    }
}

@available(*, unavailable)
extension FlagEvaluations.Iterator: Sendable {}
