/// What the process says when it ends.
struct CommandStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    /// Everything went as asked.
    static let success = CommandStatus(rawValue: 0)
    /// The work was done and the answer is no: a problem was found, a flag could not be evaluated.
    static let failure = CommandStatus(rawValue: 1)
    /// A file could not be read.
    static let unreadable = CommandStatus(rawValue: 2)
    /// The work was done and its output could not be written (`EX_IOERR`).
    static let outputFailed = CommandStatus(rawValue: 74)
    /// The command line is wrong.
    static let usage = CommandStatus(rawValue: 64)
}
