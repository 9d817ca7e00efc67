import FlagLocking
public import Foundation

/// A storage of files in a folder, for this user alone and left out of backups.
///
/// One process at a time can use a folder: in a second one every call fails with ``FlagStorageError/Code/inUse``, and a
/// client then works in memory. The folder belongs to the storage. Files in it that are not its own are left alone.
///
/// Clients make one by themselves; an app needs it to name another folder. On iOS, tvOS and watchOS a folder that
/// several processes share, such as that of an app group, is not guarded: give each process a folder of its own.
public final class FileFlagStorage: FlagStorage {
    private let folder: String
    /// Whether other processes may use the folder at the same time.
    private let isShared: Bool
    /// `nil` until the first call.
    private let hold = Lock<FolderHold?>(nil)

    /// Makes a storage; nothing is read or made before the first call.
    ///
    /// - Parameter folder: The folder's place. It is made if there is none, with all above it.
    public init(folder: URL) {
        self.folder = folder.path
        isShared = false
    }

    /// Makes a storage in a folder that other processes write to as well: for single files that stand for themselves.
    init(sharedFolder: String) {
        folder = sharedFolder
        isShared = true
    }

    /// The bytes under a name.
    ///
    /// - Parameter name: The name.
    /// - Returns: The bytes, or `nil` where there are none.
    /// - Throws: ``FlagStorageError``.
    public func read(_ name: String) throws -> [UInt8]? {
        try FlagStorageError.check(name)
        try open()
        return try StoredFile.read("\(folder)/\(name)")
    }

    /// Puts bytes under a name, in place of former ones.
    ///
    /// When this returns they are on the disk.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - name: The name.
    /// - Throws: ``FlagStorageError``.
    public func write(_ bytes: [UInt8], as name: String) throws {
        try FlagStorageError.check(name)
        try open()
        do throws(FlagStorageError) {
            try StoredFile.write(bytes, folder: folder, name: name)
        } catch {
            // Somebody tidied up: the folder can be made again.
            guard error.code == .unavailable else { throw error }
            try FolderAttributes.makeFolder(folder)
            try StoredFile.write(bytes, folder: folder, name: name)
        }
    }

    /// Removes the bytes under a name, if there are any.
    ///
    /// - Parameter name: The name.
    /// - Throws: ``FlagStorageError``.
    public func remove(_ name: String) throws {
        try FlagStorageError.check(name)
        try open()
        try StoredFile.remove("\(folder)/\(name)")
    }

    /// What is stored.
    ///
    /// - Returns: An entry for each name.
    /// - Throws: ``FlagStorageError``.
    public func entries() throws -> [FlagStorageEntry] {
        try open()
        return try StoredFile.entries(folder: folder)
    }

    /// Takes the folder at the first call, and tries again at each while it cannot be had.
    private func open() throws(FlagStorageError) {
        if hold.withLock({ $0 != nil }) { return }
        let taken = try isShared ? FolderHold.share(folder) : FolderHold.take(folder)
        // Of two that came at once, the second's is given back.
        hold.withLock { if $0 == nil { $0 = taken } }
    }
}
