/// What is wrong with a command line.
struct UsageError: Error, Hashable, Sendable {
    /// What is wrong and what to do, for the person who typed it.
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
