package import FlagModel

/// What evaluating a flag gave, in a few bytes: one of the results the flag has ready, or a fault.
///
/// An outcome has its meaning only together with the flag that gave it. Two outcomes of one flag are equal
/// exactly when their resolutions are.
package struct Outcome: Hashable, Sendable {
    /// What went wrong in an evaluation.
    package struct Failure: Hashable, Sendable {
        /// `PARSE_ERROR` or `GENERAL`.
        package var code: FlagErrorCode
        /// What went wrong in words.
        package var details: String
    }

    enum Content: Hashable, Sendable {
        /// The position among the flag's prepared results.
        case prepared(Int)
        case failed(Failure)
    }

    let content: Content

    @inline(__always)
    init(_ content: Content) {
        self.content = content
    }

    /// What went wrong, or `nil`.
    package var failure: Failure? {
        if case .failed(let failure) = content { failure } else { nil }
    }
}
