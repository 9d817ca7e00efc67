import Dispatch
import FlagModel

extension TelemetryReporter {
    /// Makes the reporter of a client; `nil` where the app wants nothing reported.
    ///
    /// When the reporter is done it closes the transport: its last report is the last request of all.
    ///
    /// - Parameters:
    ///   - service: Where reports go, unless the app names another address.
    ///   - configuration: What the app wants.
    ///   - transport: What carries them.
    ///   - time: Moments and timers.
    ///   - reads: What counts reads.
    ///   - queue: Where reports wait; `nil` for memory.
    convenience init?(
        service: ServiceAddress, configuration: FlagClientConfiguration, transport: any FlagTransport,
        time: any TimeSource, reads: any ReadCounting, queue: (any TelemetryQueue)?
    ) {
        let policy = configuration.telemetry
        if !policy.isEnabled || !policy.countsReads { reads.stopCounting() }
        guard policy.isEnabled else { return nil }
        let settings = TelemetrySettings(policy, app: configuration.app)
        let url = policy.url
        let blocking = DispatchQueue(label: "flagstaff.telemetry", qos: .utility)
        self.init(
            settings: settings,
            parts: Parts(
                reads: policy.countsReads ? reads : UncountedReads(),
                queue: queue ?? MemoryTelemetryQueue(settings, time: time),
                transport: transport, time: time, logger: configuration.logger,
                request: { service.telemetryRequest($0, to: url, timeout: $1) },
                runBlocking: { blocking.async(execute: $0) }, finish: { transport.close() }))
    }
}

extension MemoryTelemetryQueue {
    /// Makes a queue with the caps of a client.
    convenience init(_ settings: TelemetrySettings, time: any TimeSource) {
        self.init(
            maximumBatches: settings.retainedBatches, maximumBytes: settings.retainedBytes,
            maximumAge: settings.retainedAge, now: { time.now().uptime })
    }
}
