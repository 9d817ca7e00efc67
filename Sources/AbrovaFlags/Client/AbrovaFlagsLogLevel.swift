/// How much an ``AbrovaFlags`` client logs: messages of that importance and above.
///
/// Messages never hold the key, and above ``debug`` nothing about the user. They go to the system log on Apple
/// platforms, to standard error elsewhere.
public enum AbrovaFlagsLogLevel: String, Hashable, Sendable, CaseIterable {
    // These five are all that the interface has, so the enumeration is closed.
    /// Nothing.
    case none
    /// What needs a developer, such as a refused key.
    case error
    /// What fails and is coped with, and what is passed over.
    case warning
    /// What happens in the normal course.
    case info
    /// Everything.
    case debug
}
