extension HTTPResponse {
    /// The whole response as it goes over the wire, for a connection that is closed after it.
    ///
    /// - Returns: the bytes; a body that is a stream is left out.
    func serialized(reasonPhrase: String) -> [UInt8] {
        var content: [UInt8] = []
        if case .bytes(let bytes) = body {
            content = bytes
        }
        var head = "HTTP/1.1 \(status.rawValue) \(reasonPhrase)\r\n"
        for header in headers
        where !(header.name + header.value).utf8.contains(where: { $0 == 10 || $0 == 13 }) {
            head += "\(header.name): \(header.value)\r\n"
        }
        head += "Content-Length: \(content.count)\r\nConnection: close\r\n\r\n"
        return Array(head.utf8) + content
    }
}
