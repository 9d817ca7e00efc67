private import Foundation
import FlagModel

/// Whose files they are: one name for each app, service, key and ``FlagClientConfiguration/storageName``.
///
/// A digest, so that no address and no key shows in it.
struct StorageNamespace: Hashable, Sendable {
    /// 32 lower-case hexadecimal digits.
    let name: String

    /// The namespace of a client.
    ///
    /// - Parameters:
    ///   - service: The service; of its headers those count that say who the client is, and the environment's name.
    ///   - storageName: What the app tells its clients apart by.
    init(service: ServiceAddress, storageName: String?) {
        let credentials = service.privateHeaders
            .map { (name: $0.key.lowercased(), value: $0.value) }
            .filter { Self.namingHeaders.contains($0.name) }
            .sorted { $0.name < $1.name }
            .map { "\($0.name):\(Self.digest($0.value))" }
        self.init(["client", Self.app, service.base, storageName ?? ""] + credentials)
    }

    /// The namespace of what belongs to the installation and to no service.
    init(identityOf storageName: String?) {
        self.init(["identity", Self.app, storageName ?? ""])
    }

    private static let namingHeaders: Set = [
        "authorization", "x-api-key", ServiceHeaders.environmentName.lowercased(),
    ]

    /// Whether a folder's name has the form of ours.
    static func isName(_ name: String) -> Bool {
        name.utf8.count == 32
            && name.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    private init(_ parts: [String]) {
        // As JSON, so that no two lists of parts make one text.
        name = String(Self.digest(FlagValue.array(parts.map(FlagValue.string)).jsonText).prefix(32))
    }

    private static func digest(_ text: String) -> String {
        SHA256.hexadecimalDigest(of: Array(text.utf8))
    }

    /// Which app this is, as several apps of one user can have one folder for their files (macOS, Linux).
    private static let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
}

extension SHA256 {
    /// The digest as 64 lower-case hexadecimal digits.
    static func hexadecimalDigest(of message: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = digest(of: message).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}
