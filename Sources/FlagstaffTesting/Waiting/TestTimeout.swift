public import Foundation

/// What a test waited for did not happen in time.
public struct TestTimeout: Error, Hashable, Sendable {
    /// What was waited for.
    public var what: String
    /// How many seconds it had.
    public var limit: Double

    /// Makes the error.
    ///
    /// - Parameters:
    ///   - what: What was waited for.
    ///   - limit: How many seconds it had.
    public init(what: String, limit: Double) {
        self.what = what
        self.limit = limit
    }
}

extension TestTimeout: CustomStringConvertible, LocalizedError {
    /// What did not happen within how many seconds.
    public var description: String { "\(what): did not happen within \(limit) s" }

    /// The description.
    public var errorDescription: String? { description }
}
