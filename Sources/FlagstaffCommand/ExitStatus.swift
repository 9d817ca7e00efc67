/// What the process says when it ends.
struct ExitStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    /// Everything went as asked.
    static let success = ExitStatus(rawValue: 0)
    /// The work was done and the answer is no: a problem was found, a flag could not be evaluated.
    static let failure = ExitStatus(rawValue: 1)
    /// A file could not be read.
    static let unreadable = ExitStatus(rawValue: 2)
    /// The command line is wrong.
    static let usage = ExitStatus(rawValue: 64)
}
