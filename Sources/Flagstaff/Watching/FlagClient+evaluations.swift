extension FlagClient {
    /// The reads that code makes of this client's flags from this access on: what was read, and what it was given.
    ///
    /// Meant for debugging and for passing exposures on. While somebody listens, every read of the client takes a lock,
    /// and allocates; without a listener a read costs the same as if this were not there. A reader that is more than 256
    /// reads behind loses the oldest. The sequence ends when the client is closed.
    public var evaluations: FlagEvaluations { FlagEvaluations(stream: reads.listen()) }

    /// Counts a read that was made from a ``FlagReader/snapshot``, whose reads are not counted by themselves.
    ///
    /// The read is counted for the value, the variant and the context of the evaluation, also where others are in effect
    /// by now. Listeners to ``evaluations`` are told.
    ///
    /// - Parameter evaluation: The result of the read.
    public func recordRead<Value>(of evaluation: FlagEvaluation<Value>) {
        reads.record(evaluation, as: Value.self, context: context)
    }

    /// Counts a read that was made from a ``FlagReader/snapshot`` as a value of any type, and converted afterwards.
    ///
    /// - Parameters:
    ///   - evaluation: The result of the read.
    ///   - type: The type that was asked for, which reports name where the value was of another one.
    public func recordRead<Value>(of evaluation: FlagEvaluation<Value>, as type: Any.Type) {
        reads.record(evaluation, as: type, context: context)
    }
}
