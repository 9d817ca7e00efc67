extension FlagService {
    /// What came in reports of clients since the service started, each report counted once.
    package struct ReportCounts: Hashable, Sendable {
        /// Reports that were taken.
        package var accepted: UInt64
        /// Reports that were here before.
        package var duplicates: UInt64
        /// Reads in them.
        package var reads: UInt64
        /// Those of the reads that gave the code's default.
        package var defaultReads: UInt64
        /// Tracked events in them.
        package var events: UInt64
    }

    /// What has come in reports so far.
    package var reportCounts: ReportCounts {
        let counts = intake.counts
        return ReportCounts(
            accepted: counts.accepted, duplicates: counts.duplicates, reads: counts.reads,
            defaultReads: counts.defaultReads, events: counts.events)
    }
}
