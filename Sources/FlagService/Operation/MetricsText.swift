import FlagModel

/// Writes the counts in Prometheus' text format, version 0.0.4.
struct MetricsText {
    private(set) var text = ""

    init(counts: ServiceMetrics.Counts, status: PublishedRules.Status, openStreams: Int) {
        family("flagstaff_requests_total", "counter", "Requests answered, by route and status.")
        for (endpoint, count) in counts.requests.sorted(by: {
            ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status)
        }) {
            sample(
                "flagstaff_requests_total", "route=\"\(endpoint.route)\",status=\"\(endpoint.status)\"", count
            )
        }
        family(
            "flagstaff_request_duration_seconds", "histogram",
            "Time from a whole request to its answer, by route.")
        for (route, durations) in counts.durations.sorted(by: { $0.key < $1.key }) {
            histogram("flagstaff_request_duration_seconds", "route=\"\(route)\"", durations)
        }
        single("flagstaff_streams_open", "gauge", "Change streams that are open.", openStreams)
        single(
            "flagstaff_stream_messages_total", "counter", "Messages sent to streams because rules changed.",
            counts.streamMessages)
        single(
            "flagstaff_publish_duration_seconds", "gauge",
            "How long the last change took to be handed to all streams.",
            Double(counts.lastPublishNanoseconds) / 1e9)
        single("flagstaff_flags", "gauge", "Flags in force.", status.flagCount ?? 0)
        single(
            "flagstaff_publishes_total", "counter", "How often other rules were put in force.",
            status.publishCount)
        single("flagstaff_ready", "gauge", "1 when flags can be evaluated.", status.flagCount == nil ? 0 : 1)
        single(
            "flagstaff_source_up", "gauge", "0 while the source of the rules reports a fault.",
            status.fault == nil ? 1 : 0)
        single(
            "flagstaff_source_faults_total", "counter", "Faults that the source has reported.",
            counts.sourceFaults)
    }

    mutating func family(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    mutating func sample(_ name: String, _ labels: String, _ value: some CustomStringConvertible) {
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }

    mutating func single(
        _ name: String, _ type: String, _ help: String, _ value: some CustomStringConvertible
    ) {
        family(name, type, help)
        sample(name, "", value)
    }

    private mutating func histogram(_ name: String, _ labels: String, _ durations: ServiceMetrics.Durations) {
        var sum: UInt64 = 0
        for (bound, count) in zip(ServiceMetrics.bounds, durations.buckets) {
            sum += count
            sample("\(name)_bucket", "\(labels),le=\"\(Double(bound) / 1e6)\"", sum)
        }
        sample("\(name)_bucket", "\(labels),le=\"+Inf\"", durations.count)
        sample("\(name)_sum", labels, Double(durations.microseconds) / 1e6)
        sample("\(name)_count", labels, durations.count)
    }
}
