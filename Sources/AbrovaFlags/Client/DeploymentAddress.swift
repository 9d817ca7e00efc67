import Foundation

/// The service's address as the place where the app runs names it, for code that names none.
struct DeploymentAddress {
    /// The environment variable's value.
    var variable: String?
    /// The value in the app's Info.plist, of whatever type.
    var property: Any?

    /// What this process finds.
    static var current: DeploymentAddress {
        DeploymentAddress(
            variable: ProcessInfo.processInfo.environment["FLAGSTAFF_ENDPOINT"],
            property: Bundle.main.object(forInfoDictionaryKey: "FlagstaffEndpoint"))
    }

    /// The first that is an address; without one, this device's own.
    var url: URL { named ?? Self.fallback }

    /// Whether there is none.
    var isMissing: Bool { named == nil }

    private var named: URL? {
        for text in [variable, property as? String] {
            let text = text?.trimmingCharacters(in: .whitespaces) ?? ""
            if let url = URL(string: text), url.scheme != nil, url.host != nil { return url }
        }
        return nil
    }

    /// Where a service listens that was started on this device without further ado.
    static let fallback: URL = {
        guard let url = URL(string: "http://127.0.0.1:8080") else { preconditionFailure("a valid address") }
        return url
    }()
}
