#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file on disk: what it is at the moment, and its bytes.
struct FlagFile: Sendable {
    /// What tells one state of a file from another without reading it.
    struct Stamp: Hashable, Sendable {
        var device: UInt64
        var inode: UInt64
        var size: Int64
        var changedSeconds: Int64
        var changedNanoseconds: Int64
    }

    let path: String
    /// A larger file is refused before it is read.
    let maximumBytes: Int

    /// The file's state, symbolic links followed; `nil` when there is nothing to be seen at the path.
    var stamp: Stamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let changed = status.st_ctimespec
        #else
            let changed = status.st_ctim
        #endif
        return Stamp(
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino),
            size: Int64(status.st_size), changedSeconds: Int64(changed.tv_sec),
            changedNanoseconds: Int64(changed.tv_nsec))
    }

    /// Reads the whole file; anything but a regular file is refused, so that a pipe can never hold the reader up.
    func read() throws(FlagSourceFault) -> [UInt8] {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.fault(path, errno) }
        defer { close(descriptor) }

        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.fault(path, errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw FlagSourceFault("\(path) is a folder; name a flag file in it")
        default: throw FlagSourceFault("\(path) is not a regular file")
        }
        if Int64(status.st_size) > Int64(maximumBytes) {
            throw FlagSourceFault("\(path) has \(status.st_size) bytes; at most \(maximumBytes) are accepted")
        }
        return try read(descriptor, expecting: Int(status.st_size))
    }

    private func read(_ descriptor: Int32, expecting size: Int) throws(FlagSourceFault) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 1)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            // The name is this function's own otherwise.
            #if canImport(Darwin)
                let count = Darwin.read(descriptor, &buffer, buffer.count)
            #elseif canImport(Glibc)
                let count = Glibc.read(descriptor, &buffer, buffer.count)
            #else
                let count = Musl.read(descriptor, &buffer, buffer.count)
            #endif
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw Self.fault(path, errno)
            }
            bytes.append(contentsOf: buffer[..<count])
            if bytes.count > maximumBytes {
                throw FlagSourceFault("\(path) has more than the \(maximumBytes) bytes that are accepted")
            }
        }
    }

    private static func fault(_ path: String, _ code: Int32) -> FlagSourceFault {
        switch code {
        case ENOENT, ENOTDIR: FlagSourceFault("\(path) does not exist")
        case EACCES, EPERM: FlagSourceFault("\(path) may not be read: give this user read permission")
        case ELOOP: FlagSourceFault("\(path) is a symbolic link that leads round in a circle")
        default: FlagSourceFault("\(path) cannot be read: \(String(cString: strerror(code)))")
        }
    }
}
