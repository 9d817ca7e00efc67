package import FlagModel
private import Foundation

extension FlagClient {
    /// Takes out the counts of all reads since the last time, which are not reported any more then: for tests and
    /// measurements.
    package func drainReads() -> [CountedRead] {
        reads.drain()
    }

    /// Puts flags in effect as if a service had sent them, on a client that was not started: for measurements.
    package func serve(_ flags: [FlagResolution], for context: FlagContext = FlagContext(key: "user-123")) {
        reads.store(
            reads.load().replaced(
                by: BulkEvaluation(flags: flags), etag: nil, context: context, time: Date()))
    }

    /// Puts stored values in effect on a client that was not started: for measurements.
    package func serve(_ stored: FlagSnapshot) {
        reads.store(reads.load().restored(from: stored))
    }
}
