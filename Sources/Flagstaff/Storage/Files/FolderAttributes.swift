private import Foundation

/// What our folders and files are to the system: private, not backed up, readable after the first unlock.
enum FolderAttributes {
    /// Makes a folder with all above it; it may be there already.
    ///
    /// What is new is for this user alone.
    static func makeFolder(_ path: String) throws(FlagStorageError) {
        var attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            attributes[.protectionKey] = FileProtectionType.completeUntilFirstUserAuthentication
        #endif
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: attributes)
        } catch {
            throw FlagStorageError(
                code: .unavailable,
                message: "there is no folder to store in, and it cannot be made: name one that can be written"
            )
        }
        excludeFromBackup(path)
    }

    /// Backups hold neither caches nor queues: on another device they would be wrong or sent twice.
    private static func excludeFromBackup(_ path: String) {
        #if canImport(Darwin)
            var url = URL(fileURLWithPath: path, isDirectory: true)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            // Some file systems have no such mark: no reason to store nothing.
            try? url.setResourceValues(values)
        #endif
    }

    /// Lets a file be read in the background on a locked device, after it was unlocked once since its start.
    static func protect(_ path: String) {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            // An app's default can be stricter. Where this fails, the folder's own class is what the file has.
            try? FileManager.default.setAttributes(
                [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: path)
        #endif
    }

    /// Gives a file the present time as that of its last use.
    static func touch(_ path: String) {
        // Where this fails, a folder looks unused for longer than it is, which matters after half a year.
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
    }
}
