import Foundation

@testable import Flagstaff

/// The folder that a client with the usual storage has in the home directory.
enum UsualFolder {
    /// Removes what a client left there, as tests leave nothing behind.
    static func remove(of configuration: FlagClientConfiguration) throws {
        let namespace = StorageNamespace(
            service: try ServiceAddress(configuration), storageName: configuration.storageName)
        let path = StorageFolder.path(namespace.name, environment: ProcessInfo.processInfo.environment)
        if let path, FileManager.default.fileExists(atPath: path) {
            try FileManager.default.removeItem(atPath: path)
        }
    }
}
