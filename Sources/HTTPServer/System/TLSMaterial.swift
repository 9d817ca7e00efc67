#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The contents of the certificate and key files.
struct TLSMaterial {
    let certificate: String
    let privateKey: String

    /// Reads both files and checks that they look like what they should be.
    ///
    /// - Throws: ``HTTPServerError`` that names the file and the problem.
    init(_ files: HTTPServer.TLS) throws {
        certificate = try Self.read(
            files.certificatePath, what: "certificate", marker: "-----BEGIN CERTIFICATE-----")
        privateKey = try Self.read(files.privateKeyPath, what: "private key", marker: "PRIVATE KEY-----")
        if Self.text(privateKey, holds: "ENCRYPTED") {
            throw HTTPServerError(
                .invalidTLS,
                "The private key in \"\(files.privateKeyPath)\" is encrypted. Decrypt it: openssl pkey -in KEY -out PLAIN"
            )
        }
    }

    private static func read(_ path: String, what: String, marker: String) throws -> String {
        guard let file = fopen(path, "r") else { throw unreadable(path, what) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            bytes.append(contentsOf: buffer[..<count])
            guard bytes.count <= 1_048_576 else {
                throw HTTPServerError(.invalidTLS, "The \(what) file \"\(path)\" is larger than 1 MiB.")
            }
            if count < buffer.count { break }
        }
        // A folder opens, but does not read.
        guard ferror(file) == 0 else { throw unreadable(path, what) }
        let text = String(decoding: bytes, as: UTF8.self)
        guard Self.text(text, holds: marker) else {
            throw HTTPServerError(.invalidTLS, "The \(what) file \"\(path)\" has no \(what) in PEM format.")
        }
        return text
    }

    /// Whether a text holds another; the standard library's own way needs macOS 13.
    private static func text(_ text: String, holds part: String) -> Bool {
        let part = Array(part.utf8)
        let text = Array(text.utf8)
        guard text.count >= part.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
    }

    private static func unreadable(_ path: String, _ what: String) -> HTTPServerError {
        HTTPServerError(
            .invalidTLS, "Cannot read the \(what) file \"\(path)\": \(String(cString: strerror(errno))).")
    }
}
