/// What an implementation under test did otherwise than the suite asks for.
///
/// The suites report by value, so they work with every test framework.
public struct ConformanceFailure: Hashable, Sendable {
    /// What was checked, in words.
    public var check: String
    /// What happened in place of it.
    public var message: String

    /// Makes a failure.
    ///
    /// - Parameters:
    ///   - check: What was checked.
    ///   - message: What happened in place of it.
    public init(check: String, message: String) {
        self.check = check
        self.message = message
    }
}

extension ConformanceFailure: CustomStringConvertible {
    /// The check and what happened.
    public var description: String { "\(check): \(message)" }
}
