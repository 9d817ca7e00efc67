#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The memory of a connection that waits for its stream to have something to send.
///
/// The library lends its content reader all the free memory of the connection, and does not look at what is left
/// in it. While a stream is idle, which is nearly always, the system may as well have the pages back: the limit
/// of a request's head then costs an idle stream nothing.
enum ConnectionBuffer {
    /// Bytes at the buffer's start whose memory is not worth a call to the system.
    static let keptBytes = 4096

    private static let pageSize = max(4096, Int(sysconf(Int32(_SC_PAGESIZE))))

    /// Gives back the whole pages within the buffer; what they held is lost.
    static func release(_ buffer: UnsafeMutableRawBufferPointer) {
        #if os(Linux)
            guard let start = buffer.baseAddress else { return }
            let firstAddress = Int(bitPattern: start)
            let firstPage = (firstAddress + pageSize - 1) / pageSize * pageSize
            let endPage = (firstAddress + buffer.count) / pageSize * pageSize
            guard endPage > firstPage, let pages = UnsafeMutableRawPointer(bitPattern: firstPage) else {
                return
            }
            // Fails only for memory that is special in some way, and changes nothing then.
            _ = madvise(pages, endPage - firstPage, MADV_DONTNEED)
        #endif
    }
}
