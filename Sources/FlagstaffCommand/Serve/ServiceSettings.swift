import FlagEvaluation
import FlagService
import HTTPServer

/// What `flagstaff serve` was asked for.
struct ServiceSettings: Sendable {
    /// The flag file.
    var flagFile: String
    /// Keys that clients may come with, in clear.
    ///
    /// None lets every client in.
    var clientKeys: [String] = []
    /// How definitions are read.
    var evaluation = EvaluationOptions()
    /// How the service behaves.
    var service = FlagService.Configuration()
    /// Where to listen and what to accept.
    var server = HTTPServer.Configuration()
    /// Whether to start also while there are no flags to be served yet.
    var waitsForFlags = false
}

/// Why a service did not start: its flags cannot be had.
struct FlagFileError: Error, CustomStringConvertible {
    var description: String
}
