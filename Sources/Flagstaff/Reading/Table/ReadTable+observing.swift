import FlagLocking
import FlagModel

// Who wants to know of each read. While there is somebody, all cells are closed, so that all reads come to the lock;
// while there is nobody, it costs reads nothing.

extension ReadTable {
    /// The reads from now on; finished at once when the table is.
    func listen() -> AsyncStream<ReadObservers.Evaluation> {
        AsyncStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
            let id: Int? = state.withLock { state in
                state.changeObservers { $0.add(continuation) }
            }
            guard let id else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { state in state.changeObservers { $0.remove(id) } }
            }
        }
    }

    /// Ends the sequences of reads, also those that are still to be made.
    ///
    /// Reading goes on.
    func finishListening() {
        let listeners = state.withLock { state in state.changeObservers { $0.finish() } }
        for listener in listeners { listener.finish() }
    }

    /// Sets what is called with each read, on the thread that reads and in no lock; `nil` for nothing.
    func setRecorder(_ recorder: (@Sendable (ReadObservers.Evaluation) -> Void)?) {
        state.withLock { state in state.changeObservers { $0.recorder = recorder } }
    }

    /// How many sequences are being read, for tests.
    var listenerCount: Int { state.withLock { $0.observers.count } }

    /// Counts a read that was not made here.
    ///
    /// - Parameters:
    ///   - evaluation: The read.
    ///   - type: The type that was asked for.
    ///   - context: What to count it for where the evaluation does not say.
    func record<Value>(
        _ evaluation: FlagEvaluation<Value>, as type: Any.Type, context: @autoclosure () -> FlagContext
    ) {
        let isMismatch = evaluation.isDefault && evaluation.errorCode == .typeMismatch
        let read = CountedRead(
            key: evaluation.key, variant: evaluation.variant, reason: evaluation.reason,
            errorCode: evaluation.errorCode, valueID: evaluation.isDefault ? nil : evaluation.valueID,
            isDefault: evaluation.isDefault,
            requestedType: isMismatch ? ReadKind(erased: type).requestedType : nil,
            version: evaluation.version, context: evaluation.context ?? context(), count: 1)
        let observed: (() -> Void)? = state.withLock { state in
            if state.isCounting { state.book.add(read) }
            if state.observers.isEmpty { return nil }
            return state.observers.tell(evaluation.withFlagValue)
        }
        observed?()
    }
}

extension FlagEvaluation {
    /// The same read with the value as the service sent it, where it is known; a default as a flag would serve it.
    fileprivate var withFlagValue: FlagEvaluation<FlagValue> {
        FlagEvaluation<FlagValue>(
            key: key, value: servedValue ?? FlagValue(readDefault: value) ?? .null, isDefault: isDefault,
            variant: variant,
            reason: reason, errorCode: errorCode, errorDetails: errorDetails, metadata: metadata,
            version: version, flagSets: flagSets, identity: identity, origin: origin, context: context)
    }

    private var servedValue: FlagValue? {
        guard !isDefault, case .served(let flag)? = identity else { return nil }
        return flag.converted(to: ReadKind(Value.self))
    }
}

extension ReadTableState {
    /// Changes who observes; with the first one all cells are closed.
    mutating func changeObservers<Result>(_ change: (inout ReadObservers) -> Result) -> Result {
        let wasEmpty = observers.isEmpty
        let result = change(&observers)
        if wasEmpty, !observers.isEmpty { closeAll() }
        return result
    }

    /// Tells the observers of a read.
    ///
    /// - Returns: What is to be done after the lock: the recorder is foreign code.
    func observe(
        _ served: ServedFlag, _ kind: ReadKind, of type: Any.Type, key: UnsafeBufferPointer<UInt8>,
        default defaultValue: () -> FlagValue
    ) -> (() -> Void)? {
        if observers.isEmpty { return nil }
        return observers.tell(
            served.evaluation(
                of: String(decoding: key, as: UTF8.self),
                converted: served.converted(to: kind), default: defaultValue(),
                requestedType: type, mismatch: served.mismatch(kind)))
    }
}
