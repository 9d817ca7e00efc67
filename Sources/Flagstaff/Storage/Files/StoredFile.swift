private import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The calls to the file system that a storage is made of.
enum StoredFile {
    /// What names of files that are being written begin with; no name in a storage does.
    static let temporaryPrefix = ".new-"
    /// What no file of ours comes near to; a larger one is not read.
    static let largestSize = 64 << 20

    // MARK: Reading

    /// The whole file; `nil` when there is none.
    ///
    /// Symbolic links are not followed, and a pipe or a device is not waited for.
    static func read(_ path: String) throws(FlagStorageError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw fault("a stored file cannot be opened")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw fault("a stored file cannot be looked at") }
        guard isFile(status), Int64(status.st_size) <= Int64(largestSize) else {
            throw FlagStorageError(
                code: .failed, message: "a stored file is none of ours: too large, or a folder or device")
        }
        return try read(descriptor, size: Int(status.st_size))
    }

    private static func read(_ descriptor: Int32, size: Int) throws(FlagStorageError) -> [UInt8] {
        // One more than there is, so that the end of the file is seen without growing.
        var bytes = [UInt8](repeating: 0, count: size + 1)
        var filled = 0
        while true {
            let count = bytes.withUnsafeMutableBytes { buffer in
                systemRead(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw fault("a stored file cannot be read")
            }
            filled += count
            if count == 0 { break }
            // Files are replaced, never changed: one that grows is another's.
            if filled > size {
                throw FlagStorageError(code: .failed, message: "a stored file is being changed")
            }
        }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }

    // MARK: Writing

    /// Writes a file in one step: whoever reads it gets all of the bytes or what was there before, whenever the
    /// process is killed; when this returns, the bytes are on the disk.
    static func write(_ bytes: [UInt8], folder: String, name: String) throws(FlagStorageError) {
        let temporary = "\(folder)/\(temporaryPrefix)\(UUID().uuidString)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw fault("a file cannot be made in the folder") }
        do throws(FlagStorageError) {
            try fill(descriptor, bytes)
            FolderAttributes.protect(temporary)
            guard rename(temporary, "\(folder)/\(name)") == 0 else {
                throw fault("a file cannot be put in place")
            }
        } catch {
            unlink(temporary)
            throw error
        }
        // The new name is part of the folder. Where a file system cannot do this, there is no more to be done.
        synchronize(folder)
    }

    /// Writes and closes.
    private static func fill(_ descriptor: Int32, _ bytes: [UInt8]) throws(FlagStorageError) {
        var problem: FlagStorageError?
        var written = 0
        while written < bytes.count, problem == nil {
            let count = bytes.withUnsafeBytes { buffer in
                systemWrite(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                problem = fault("a file cannot be written")
            }
        }
        if problem == nil, fsync(descriptor) != 0, errno != EINVAL {
            problem = fault("a file cannot be written")
        }
        // The last write of some file systems is here.
        if close(descriptor) != 0, problem == nil, errno != EINTR {
            problem = fault("a file cannot be written")
        }
        if let problem { throw problem }
    }

    private static func synchronize(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    // MARK: Removing and listing

    /// Removes a file; nothing happens when there is none.
    static func remove(_ path: String) throws(FlagStorageError) {
        if unlink(path) != 0, errno != ENOENT { throw fault("a stored file cannot be removed") }
    }

    /// The plain files of a folder whose names a storage can have; what vanishes meanwhile is left out.
    static func entries(folder: String) throws(FlagStorageError) -> [FlagStorageEntry] {
        try names(folder: folder).compactMap { name in
            guard FlagStorageError.isValid(name) else { return nil }
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0, isFile(status) else {
                return nil
            }
            let time = modificationTime(status)
            return FlagStorageEntry(
                name: name, size: Int(status.st_size),
                modified: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
        }
    }

    /// How many seconds ago a file was written, whichever way the clock was set since; `nil` when it is gone.
    static func age(_ path: String) -> Int? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return abs(time(nil) - modificationTime(status).tv_sec)
    }

    private static func isFile(_ status: stat) -> Bool {
        // The bits that tell a file's type, whose name has another type on each platform.
        status.st_mode & 0o170000 == S_IFREG
    }

    private static func modificationTime(_ status: stat) -> timespec {
        #if canImport(Darwin)
            status.st_mtimespec
        #else
            status.st_mtim
        #endif
    }

    /// All names in a folder.
    static func names(folder: String) throws(FlagStorageError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            var status = stat()
            if lstat(folder, &status) != 0, errno == ENOENT { return [] }
            throw FlagStorageError(code: .failed, message: "the folder cannot be listed")
        }
    }

    // MARK: Faults

    /// What the system's last error means; call it before anything else can fail.
    static func fault(_ message: String) -> FlagStorageError {
        fault(message, errno)
    }

    /// What an error of the system means.
    static func fault(_ message: String, _ number: Int32) -> FlagStorageError {
        let code: FlagStorageError.Code =
            switch POSIXErrorCode(rawValue: number) {
            case .ENOSPC, .EDQUOT, .EFBIG: .full
            case .EACCES, .EPERM, .EROFS: .denied
            case .ENOENT, .ENOTDIR: .unavailable
            default: .failed
            }
        return FlagStorageError(code: code, message: "\(message) (\(String(cString: strerror(number))))")
    }
}

// The system's calls whose names are those of functions above.
private let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = read
private let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = write
