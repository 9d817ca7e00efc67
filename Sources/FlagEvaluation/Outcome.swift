package import FlagModel

/// What evaluating a flag gave, in a few bytes: one of the results the flag has ready, or a fault.
///
/// An outcome has its meaning only together with the flag that gave it.
package struct Outcome: Hashable, Sendable {
    /// What went wrong in an evaluation.
    package struct Failure: Hashable, Sendable {
        /// `PARSE_ERROR` or `GENERAL`.
        package var code: FlagErrorCode
        /// What went wrong in words.
        package var details: String
    }

    enum Content: Hashable, Sendable {
        case prepared(Int)
        case failed(Failure)
    }

    let content: Content

    /// What went wrong, or `nil`.
    package var failure: Failure? {
        if case .failed(let failure) = content { failure } else { nil }
    }
}
