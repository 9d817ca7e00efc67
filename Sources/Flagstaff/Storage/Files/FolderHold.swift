import Dispatch
import FlagLocking

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The right to write into a folder: one process at a time has it, and shares it among all of its storages.
///
/// It is an advisory lock on a file in the folder, which the system gives back when the process ends, in whatever way.
/// On iOS, tvOS and watchOS there is no lock: an app's own folders are used by one process alone, and the system ends
/// an app that holds one in a shared folder while it is suspended.
final class FolderHold: Sendable {
    private struct Folder: Sendable {
        let descriptor: Int32
        var holds: Int
    }

    /// The name of the lock's file; none that a storage takes.
    static let lockName = ".lock"

    /// The folders of this process by their real path.
    private static let folders = Lock<[String: Folder]>([:])
    /// Taking and giving back are calls to the system, which do not belong inside the lock; here they come one at a
    /// time.
    private static let queue = DispatchQueue(label: "flagstaff.folders")

    private let path: String

    private init(path: String) {
        self.path = path
    }

    deinit {
        let path = path
        Self.queue.sync {
            let descriptor: Int32? = Self.folders.withLock { folders in
                guard var folder = folders[path] else { return nil }
                folder.holds -= 1
                folders[path] = folder.holds > 0 ? folder : nil
                return folder.holds > 0 ? nil : folder.descriptor
            }
            if let descriptor, descriptor >= 0 { close(descriptor) }
        }
    }

    /// Makes the folder, if need be, and takes it for this process.
    ///
    /// The first to take it also removes what writers left behind that were killed.
    ///
    /// - Throws: ``FlagStorageError/Code/inUse`` when another process has it.
    static func take(_ path: String) throws(FlagStorageError) -> FolderHold {
        let result: Result<FolderHold, FlagStorageError> = queue.sync {
            do throws(FlagStorageError) {
                return .success(try takeOnQueue(path))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Whether this process holds the folder, for tests.
    static func isHeld(_ path: String) -> Bool {
        guard let resolved = realpath(path, nil) else { return false }
        defer { free(resolved) }
        let real = String(cString: resolved)
        return folders.withLock { $0[real] != nil }
    }

    /// Removes a folder of a client, unless this or another process uses it or did so of late.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - age: How many seconds ago it must have been taken last.
    static func removeUnused(_ path: String, olderThan age: Int) {
        queue.sync {
            // Without a lock's file it is no folder of a client: an identity is kept in one of those.
            guard let unused = StoredFile.age("\(path)/\(lockName)"), unused > age,
                let resolved = realpath(path, nil)
            else { return }
            defer { free(resolved) }
            let real = String(cString: resolved)
            guard folders.withLock({ $0[real] }) == nil, let descriptor = try? lock("\(real)/\(lockName)")
            else {
                return
            }
            removeRemains(real, olderThan: 0)
            for entry in (try? StoredFile.entries(folder: real)) ?? [] { unlink("\(real)/\(entry.name)") }
            unlink("\(real)/\(lockName)")
            // Fails, and is left, where there is something of somebody else's in it.
            rmdir(real)
            close(descriptor)
        }
    }

    /// Makes the folder, if need be, for this process and others.
    ///
    /// What killed writers left behind is removed when it is old enough not to be in use.
    static func share(_ path: String) throws(FlagStorageError) -> FolderHold {
        try FolderAttributes.makeFolder(path)
        removeRemains(path, olderThan: 5)
        return FolderHold(path: "")
    }

    private static func removeRemains(_ path: String, olderThan age: Int) {
        for name in (try? StoredFile.names(folder: path)) ?? []
        where name.hasPrefix(StoredFile.temporaryPrefix) {
            let file = "\(path)/\(name)"
            if age == 0 || StoredFile.age(file).map({ $0 > age }) ?? false { unlink(file) }
        }
    }

    private static func takeOnQueue(_ path: String) throws(FlagStorageError) -> FolderHold {
        try FolderAttributes.makeFolder(path)
        guard let resolved = realpath(path, nil) else { throw StoredFile.fault("the folder cannot be found") }
        defer { free(resolved) }
        let real = String(cString: resolved)
        let isHeld = folders.withLock { folders in
            folders[real]?.holds += 1
            return folders[real] != nil
        }
        if isHeld { return FolderHold(path: real) }

        let descriptor = try lock("\(real)/\(lockName)")
        removeRemains(real, olderThan: 0)
        folders.withLock { $0[real] = Folder(descriptor: descriptor, holds: 1) }
        return FolderHold(path: real)
    }

    private static func lock(_ path: String) throws(FlagStorageError) -> Int32 {
        // Children of the app do not inherit the descriptor, and with it the lock.
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoredFile.fault("the folder cannot be written") }
        #if !(os(iOS) || os(tvOS) || os(watchOS) || os(visionOS))
            while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                if errno == EINTR { continue }
                // Where a file system knows no locks, atomic files have to do.
                if errno != EWOULDBLOCK { break }
                close(descriptor)
                throw FlagStorageError(
                    code: .inUse,
                    message: "another process uses the folder: give each a `storageName` of its own")
            }
        #endif
        FolderAttributes.touch(path)
        return descriptor
    }
}
