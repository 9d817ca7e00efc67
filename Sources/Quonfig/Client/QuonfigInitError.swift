public import Foundation

/// Why a client cannot be made.
public enum QuonfigInitError: Error, Sendable, Equatable {
    /// There is no SDK key, or a blank one.
    case missingSDKKey
}

extension QuonfigInitError: LocalizedError {
    /// What is wrong and what to do.
    public var errorDescription: String? {
        switch self {
        case .missingSDKKey:
            "the SDK key is missing or blank: pass a client key of the flag service as `sdkKey`"
        }
    }
}
