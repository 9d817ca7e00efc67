/// What a service accepts of one batch.
package struct TelemetryLimits: Hashable, Sendable {
    /// The size of the whole batch in bytes.
    ///
    /// Default 512 KiB.
    package var bytes = 524_288
    /// How many groups there may be.
    ///
    /// Default 1,000.
    package var groups = 1_000
    /// How many different results of reads there may be, over all groups.
    ///
    /// Default 10,000.
    package var evaluations = 10_000
    /// How many events there may be, over all groups.
    ///
    /// Default 1,000.
    package var events = 1_000
    /// How long names, variants and the like may be, in UTF-8 bytes.
    ///
    /// Default 1,024.
    package var textBytes = 1_024
    /// How many properties an event may have.
    ///
    /// Default 300.
    package var properties = 300
    /// How large an event's properties may be together, as JSON in bytes.
    ///
    /// Default 32 KiB.
    package var propertyBytes = 32_768
    /// How deep attributes and properties may nest.
    ///
    /// Default 16, over and above the levels of the batch itself.
    package var depth = 16

    /// The default limits.
    package init() {}
}

/// Why a batch was refused: what is wrong and where, and none of the values in it.
package struct TelemetryRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of fault.
    package enum Kind: Hashable, Sendable {
        /// More bytes than are accepted.
        case tooLarge
        /// No JSON.
        case malformed
        /// JSON that is no batch, or one beyond the limits.
        case invalid
    }

    /// The kind of fault.
    package var kind: Kind
    /// What is wrong, in words.
    package var description: String

    /// Makes a refusal.
    package init(kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

extension TelemetryBatch {
    /// The largest count that is exact in every JSON reader: 2^53 - 1.
    package static let maximumCount: UInt64 = (1 << 53) - 1
}
