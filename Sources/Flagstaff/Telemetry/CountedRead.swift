package import FlagModel

/// Reads that had the same result in the same context, and how many there were.
package struct CountedRead: Hashable, Sendable {
    /// The flag's key.
    package var key: String
    /// The name of the variant that was served; `nil` for a flag without one and where the default was used.
    package var variant: String?
    /// Why it was this value.
    package var reason: FlagReason
    /// What went wrong, or `nil`.
    package var errorCode: FlagErrorCode?
    /// The stable hash of the value that was served; `nil` where the default was used.
    package var valueID: String?
    /// Whether the read gave the default that the code named.
    package var isDefault: Bool
    /// The type that the read asked for, in the words of JSON, where it did not match the flag's.
    package var requestedType: String?
    /// The flag's version, where the service says one.
    package var version: String?
    /// The context that the value was served for.
    package var context: FlagContext
    /// How many reads.
    package var count: UInt64

    /// Makes a count.
    package init(
        key: String, variant: String? = nil, reason: FlagReason, errorCode: FlagErrorCode? = nil,
        valueID: String? = nil, isDefault: Bool, requestedType: String? = nil, version: String? = nil,
        context: FlagContext, count: UInt64
    ) {
        self.key = key
        self.variant = variant
        self.reason = reason
        self.errorCode = errorCode
        self.valueID = valueID
        self.isDefault = isDefault
        self.requestedType = requestedType
        self.version = version
        self.context = context
        self.count = count
    }
}
