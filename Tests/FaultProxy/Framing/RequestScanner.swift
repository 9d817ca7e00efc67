/// Takes apart what a client sends: whole requests, with their bytes as they were.
struct RequestScanner: Sendable {
    private var buffer: [UInt8] = []

    /// Takes bytes and returns the requests that are complete with them.
    mutating func feed(_ bytes: [UInt8]) -> [(request: ProxiedRequest, bytes: [UInt8])] {
        buffer += bytes
        var requests: [(ProxiedRequest, [UInt8])] = []
        while let end = MessageHead.end(in: buffer) {
            let head = MessageHead(buffer[..<end])
            let length = end + max(0, head.contentLength ?? 0)
            if buffer.count < length { break }
            let request = ProxiedRequest(
                method: head.firstLine.first ?? "", target: head.firstLine.dropFirst().first ?? "",
                headers: head.headers, body: Array(buffer[end..<length]))
            requests.append((request, Array(buffer[..<length])))
            buffer.removeFirst(length)
        }
        return requests
    }
}
