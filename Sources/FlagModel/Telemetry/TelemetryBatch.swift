/// What a client reports at once: how often flags were read with which result, and what the app tracked.
///
/// The wire form is JSON, described in `docs/protocol.md`: ``encoded`` writes it and ``decode(_:limits:)`` reads it.
/// A batch holds no flag values, and of contexts only what its ``TelemetryContext`` says.
package struct TelemetryBatch: Hashable, Sendable {
    /// The batch's own id, a UUID in text form: a service counts each id once.
    package var id: String
    /// The library that made the batch.
    package var sdk: Software
    /// The app that it is from.
    package var app: Software
    /// When counting began, in seconds since 1970 by the device's clock.
    package var start: Double
    /// When counting ended, in seconds since 1970 by the device's clock: never before ``start``.
    package var end: Double
    /// What was counted, by context.
    package var groups: [Group]
    /// Reads that are not among the counts, because there were too many different ones.
    package var droppedReads: UInt64
    /// Events that are not in the batch, because there were too many.
    package var droppedEvents: UInt64

    /// Makes a batch.
    package init(
        id: String, sdk: Software, app: Software, start: Double, end: Double, groups: [Group],
        droppedReads: UInt64 = 0, droppedEvents: UInt64 = 0
    ) {
        self.id = id
        self.sdk = sdk
        self.app = app
        self.start = start
        self.end = end
        self.groups = groups
        self.droppedReads = droppedReads
        self.droppedEvents = droppedEvents
    }

    /// A library or an app.
    package struct Software: Hashable, Sendable {
        /// Its name; empty where it is not known.
        package var name: String
        /// Its version; empty where it is not known.
        package var version: String

        /// Names it.
        package init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }

    /// What happened in one context, or in all contexts that look the same in the report.
    package struct Group: Hashable, Sendable {
        /// What is told of the context.
        package var context: TelemetryContext
        /// The reads.
        package var evaluations: [Evaluation]
        /// The app's own events, in their order.
        package var events: [Event]

        /// Makes a group.
        package init(context: TelemetryContext, evaluations: [Evaluation] = [], events: [Event] = []) {
            self.context = context
            self.evaluations = evaluations
            self.events = events
        }
    }

    /// Reads that had the same result, and how many there were.
    package struct Evaluation: Hashable, Sendable {
        /// The flag's key.
        package var flag: String
        /// The variant that was served, or `nil`.
        package var variant: String?
        /// Why it was this result.
        package var reason: String
        /// What went wrong, or `nil`.
        package var errorCode: String?
        /// The stable hash of the value that was served; `nil` where the default was used.
        package var valueID: String?
        /// Whether the read gave the default that the code named.
        package var isDefault: Bool
        /// The type that the read asked for, where the flag's value is of another.
        package var requestedType: String?
        /// The flag's version, where it is known.
        package var version: String?
        /// How many reads: at least 1.
        package var count: UInt64

        /// Makes a count.
        package init(
            flag: String, variant: String? = nil, reason: String, errorCode: String? = nil,
            valueID: String? = nil, isDefault: Bool = false, requestedType: String? = nil,
            version: String? = nil, count: UInt64
        ) {
            self.flag = flag
            self.variant = variant
            self.reason = reason
            self.errorCode = errorCode
            self.valueID = valueID
            self.isDefault = isDefault
            self.requestedType = requestedType
            self.version = version
            self.count = count
        }
    }

    /// Something that the app reported by itself.
    package struct Event: Hashable, Sendable {
        /// The event's name.
        package var name: String
        /// A number that belongs to it, or `nil`.
        package var value: Double?
        /// What else the app says of it.
        package var properties: [String: FlagValue]
        /// When it happened, in seconds since 1970 by the device's clock.
        package var time: Double
        /// Whom it is about, where that is to be told.
        package var targetingKey: String?

        /// Makes an event.
        package init(
            name: String, value: Double? = nil, properties: [String: FlagValue] = [:], time: Double,
            targetingKey: String? = nil
        ) {
            self.name = name
            self.value = value
            self.properties = properties
            self.time = time
            self.targetingKey = targetingKey
        }
    }

    /// How many reads the batch tells of.
    package var readCount: UInt64 {
        var sum: UInt64 = 0
        for group in groups {
            // A sum that does not fit stays at the largest number: what arrives can be anything.
            for evaluation in group.evaluations { sum = sum.addingClamped(evaluation.count) }
        }
        return sum
    }

    /// How many events the batch holds.
    package var eventCount: Int { groups.reduce(0) { $0 + $1.events.count } }
}

extension UInt64 {
    /// The sum, or the largest number where it does not fit.
    package func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
