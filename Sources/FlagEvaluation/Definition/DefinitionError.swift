package import FlagModel

/// Why a definition is refused as a whole: nothing of it can be used, and the last good one should stay.
package enum DefinitionError: Error, Hashable, Sendable {
    /// The text is not JSON, or exceeds what the reader accepts.
    case notJSON(JSONError)
    /// The text is JSON, but not a flag definition.
    case notADefinition(DefinitionProblem)
}

extension DefinitionError: CustomStringConvertible {
    /// What is wrong and where, in one line.
    package var description: String {
        switch self {
        case .notJSON(let error): "not JSON: \(error)"
        case .notADefinition(let problem): "\(problem)"
        }
    }
}
