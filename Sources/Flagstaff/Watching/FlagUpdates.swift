/// The values of one flag over time: the current one first, then changes, the newest winning.
///
/// Made by ``FlagClient/values(for:default:)``.
public struct FlagUpdates<Value: Equatable & Sendable>: AsyncSequence, Sendable {
    /// The flag's value, or the default where it has none of this type.
    public typealias Element = Value

    let core: ClientCore
    let key: String
    /// Reads the flag.
    let read: @Sendable (FlagSnapshot) -> FlagEvaluation<Value>

    /// Starts watching: the first element is the value at this moment.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: core.watch(key).makeAsyncIterator(), reads: core.reads, read: read)
    }

    /// Delivers the values one by one.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<FlagSnapshot>.Iterator
        let reads: ReadTable
        let read: @Sendable (FlagSnapshot) -> FlagEvaluation<Value>
        var last: Value?

        /// The next value that differs from the one before; `nil` when the client is closed or the task cancelled.
        public mutating func next() async -> Value? {
            // Conversion and comparison run here, in the reader's task, and never inside the client's lock.
            while let snapshot = await base.next() {
                let evaluation = read(snapshot)
                if evaluation.value == last { continue }
                last = evaluation.value
                reads.record(evaluation, as: Value.self, context: snapshot.context)
                return evaluation.value
            }
            return nil
        }
    }
}

@available(*, unavailable)
extension FlagUpdates.Iterator: Sendable {}
