public import Foundation

extension FlagClientConfiguration {
    /// The service's address, where the app's code names none: for libraries, and for apps that are built once and run
    /// in several places.
    ///
    /// The first of these that is an absolute `http` or `https` URL: the environment variable `FLAGSTAFF_ENDPOINT`, the
    /// key `FlagstaffEndpoint` of the app's Info.plist, and `http://127.0.0.1:8080`, with a warning. One that is set and
    /// is no such URL is passed over, with a warning too.
    ///
    /// - Parameter logger: Where warnings go.
    /// - Returns: The address. Any thread can ask; the answer is worked out anew each time.
    public static func deployedEndpoint(logger: any FlagLogger) -> URL {
        let (url, warnings) = DeployedEndpoint(
            variable: ProcessInfo.processInfo.environment[DeployedEndpoint.variableName],
            property: Bundle.main.object(forInfoDictionaryKey: DeployedEndpoint.propertyName)
        ).choice
        if logger.level <= .warning {
            for warning in warnings { logger.log(.warning, warning) }
        }
        return url
    }
}

/// What the place where an app runs says of the service's address.
struct DeployedEndpoint {
    static let variableName = "FLAGSTAFF_ENDPOINT"
    static let propertyName = "FlagstaffEndpoint"

    /// The environment variable's value.
    var variable: String?
    /// The value in the app's Info.plist, of whatever type.
    var property: Any?

    /// The address, and what there is to warn of.
    var choice: (url: URL, warnings: [String]) {
        var warnings: [String] = []
        let places = [
            ("the environment variable \(Self.variableName)", variable as Any?),
            ("the key \(Self.propertyName) of Info.plist", property),
        ]
        for (place, value) in places {
            guard let value else { continue }
            if let text = value as? String, let url = URL(string: text.trimmingCharacters(in: .whitespaces)),
                (try? ServiceEndpoint(url, name: place)) != nil
            {
                return (url, warnings)
            }
            warnings.append(
                "\(place) is passed over: it must be an absolute http or https URL such as "
                    + "https://flags.example.com, without query or user")
        }
        warnings.append(
            "no address of a flag service is set, so \(Self.fallback.absoluteString) is asked: set the environment "
                + "variable \(Self.variableName) or the key \(Self.propertyName) of Info.plist")
        return (Self.fallback, warnings)
    }

    private static let fallback: URL = {
        guard let url = URL(string: "http://127.0.0.1:8080") else { preconditionFailure("a valid address") }
        return url
    }()
}
