/// Something that a listener of an ``AbrovaFlags`` client is told.
public enum AbrovaFlagsEvent: Hashable, Sendable {
    // Apps switch over these without a default, so the enumeration is closed.
    /// The first values are available, from the device or from the network.
    ///
    /// Once for each listener; one that is added later is told first.
    case ready
    /// Values changed and can be read: those of the flags with these keys, sorted.
    case updated(changedKeys: [String])
    /// An attempt to fetch values failed; the last values stay.
    case error(AbrovaFlagsError)
}
