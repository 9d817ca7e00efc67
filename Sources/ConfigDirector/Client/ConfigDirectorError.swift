/// What is wrong with how a client is made, or what keeps it from connecting.
///
/// Only the first two are thrown, by the client's initializer; the last one reaches nobody but a logger.
public enum ConfigDirectorError: Error, Sendable, Equatable {
    /// The client SDK key is empty or white space.
    case missingClientSDKKey
    /// The base URL cannot be connected to: it needs a scheme, `http` or `https`, and a host.
    case invalidBaseURL(URL)
    /// The service refused the client or could not be reached; the status is there where it answered.
    case connectionFailed(message: String, statusCode: Int?)
}

extension ConfigDirectorError: LocalizedError {
    /// What happened and what to do.
    public var errorDescription: String? {
        switch self {
        case .missingClientSDKKey:
            "the client SDK key is blank: pass the key of an environment"
        case .invalidBaseURL(let url):
            // A URL can hold a password.
            "the base URL (scheme \(url.scheme ?? "missing"), host \(url.host ?? "missing")) must be an absolute "
                + "http or https URL such as https://flags.example.com"
        case .connectionFailed(let message, let statusCode):
            statusCode.map { "\(message) (status \($0))" } ?? message
        }
    }
}
