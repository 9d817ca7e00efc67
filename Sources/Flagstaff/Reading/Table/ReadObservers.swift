import FlagModel

/// Who is told of each read.
struct ReadObservers: Sendable {
    /// A read, with its value as the service sent it.
    typealias Evaluation = FlagEvaluation<FlagValue>

    /// What is called with each read, on the thread that reads.
    var recorder: (@Sendable (Evaluation) -> Void)?
    private var listeners: [Int: AsyncStream<Evaluation>.Continuation] = [:]
    private var lastID = 0
    private var isFinished = false

    /// Whether there is nobody.
    var isEmpty: Bool { listeners.isEmpty && recorder == nil }
    /// How many sequences are being read.
    var count: Int { listeners.count }

    /// Adds a listener; `nil` when there is nothing to listen to any more.
    mutating func add(_ listener: AsyncStream<Evaluation>.Continuation) -> Int? {
        if isFinished { return nil }
        lastID += 1
        listeners[lastID] = listener
        return lastID
    }

    /// Forgets a listener.
    mutating func remove(_ id: Int) {
        listeners[id] = nil
    }

    /// Forgets all listeners for good and returns them, to be finished after the lock.
    mutating func finish() -> [AsyncStream<Evaluation>.Continuation] {
        isFinished = true
        defer { listeners = [:] }
        return Array(listeners.values)
    }

    /// Tells the listeners of a read.
    ///
    /// - Returns: What tells the recorder, to be done after the lock; `nil` when there is none.
    func tell(_ evaluation: Evaluation) -> (() -> Void)? {
        for listener in listeners.values { listener.yield(evaluation) }
        guard let recorder else { return nil }
        return { recorder(evaluation) }
    }
}
