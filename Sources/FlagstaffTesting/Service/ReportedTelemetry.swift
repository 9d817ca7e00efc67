import FlagModel
public import Flagstaff
public import Foundation

/// A number of reads that a client reported: of one flag, with one result.
public struct ReportedReads: Hashable, Sendable {
    /// The flag's key.
    public var key: String
    /// The name of the variant that was served.
    public var variant: String?
    /// Why it was this value.
    public var reason: FlagReason
    /// What went wrong, or `nil`.
    public var errorCode: FlagErrorCode?
    /// The stable hash of the value that was served; `nil` where the default was used.
    public var valueID: String?
    /// Whether the reads gave the default that the code named.
    public var isDefault: Bool
    /// How many reads.
    public var count: Int

    /// Makes a report.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - variant: The name of the variant.
    ///   - reason: Why it was this value.
    ///   - errorCode: What went wrong.
    ///   - valueID: The stable hash of the value.
    ///   - isDefault: Whether the reads gave the default.
    ///   - count: How many reads.
    public init(
        key: String, variant: String? = nil, reason: FlagReason, errorCode: FlagErrorCode? = nil,
        valueID: String? = nil, isDefault: Bool, count: Int
    ) {
        self.key = key
        self.variant = variant
        self.reason = reason
        self.errorCode = errorCode
        self.valueID = valueID
        self.isDefault = isDefault
        self.count = count
    }
}

/// Something that the app tracked and a client reported.
public struct ReportedEvent: Hashable, Sendable {
    /// The event's name.
    public var name: String
    /// The number that goes with it.
    public var value: Double?
    /// What else goes with it.
    public var properties: [String: FlagValue]
    /// When it happened, by the client's clock.
    public var time: Date

    /// Makes a report.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - value: The number that goes with it.
    ///   - properties: What else goes with it.
    ///   - time: When it happened.
    public init(name: String, value: Double? = nil, properties: [String: FlagValue] = [:], time: Date) {
        self.name = name
        self.value = value
        self.properties = properties
        self.time = time
    }
}

extension TestRequest {
    /// The reads that a batch of telemetry reports; none for any other request.
    public var reportedReads: [ReportedReads] {
        batch?.groups.flatMap(\.evaluations).map { evaluation in
            ReportedReads(
                key: evaluation.flag, variant: evaluation.variant,
                reason: FlagReason(rawValue: evaluation.reason),
                errorCode: evaluation.errorCode.map(FlagErrorCode.init(rawValue:)),
                valueID: evaluation.valueID, isDefault: evaluation.isDefault,
                count: Int(clamping: evaluation.count))
        } ?? []
    }

    /// The events that a batch of telemetry reports; none for any other request.
    public var reportedEvents: [ReportedEvent] {
        batch?.groups.flatMap(\.events).map { event in
            ReportedEvent(
                name: event.name, value: event.value, properties: event.properties,
                time: Date(timeIntervalSince1970: event.time))
        } ?? []
    }

    /// The batch's own id, which a service counts once; `nil` for any other request.
    public var batchID: String? { batch?.id }

    private var batch: TelemetryBatch? {
        kinds.contains(.telemetry) ? try? TelemetryBatch.decode(body) : nil
    }
}
