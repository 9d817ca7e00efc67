extension MetricsText {
    /// Adds what the telemetry intake has counted.
    mutating func add(_ counts: TelemetryIntake.Counts) {
        let batches = "flagstaff_telemetry_batches_total"
        family(batches, "counter", "Reports of clients, by what became of them.")
        sample(batches, "result=\"accepted\"", counts.accepted)
        sample(batches, "result=\"duplicate\"", counts.duplicates)
        let rejections = "flagstaff_telemetry_rejected_total"
        family(rejections, "counter", "Reports that could not be counted, by reason.")
        for reason in TelemetryIntake.Rejection.allCases {
            sample(rejections, "reason=\"\(reason.rawValue)\"", counts.rejected[reason] ?? 0)
        }
        single(
            "flagstaff_telemetry_reads_total", "counter", "Flag reads that clients reported.", counts.reads)
        single(
            "flagstaff_telemetry_default_reads_total", "counter",
            "Reported reads that gave the code's default.", counts.defaultReads)
        single(
            "flagstaff_telemetry_unknown_flag_reads_total", "counter",
            "Reported reads of flags that were not there.", counts.unknownFlagReads)
        single(
            "flagstaff_telemetry_events_total", "counter", "Tracked events that clients reported.",
            counts.events)
        single(
            "flagstaff_telemetry_dropped_reads_total", "counter",
            "Reads that clients say they could not tell apart.", counts.droppedReads)
        single(
            "flagstaff_telemetry_dropped_events_total", "counter",
            "Tracked events that clients say they could not report.", counts.droppedEvents)
    }
}
