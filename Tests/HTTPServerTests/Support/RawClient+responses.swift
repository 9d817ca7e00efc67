/// A response as it arrived.
struct TestResponse: Sendable {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The first value of a field, by its exact name without regard to case.
    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

extension RawClient {
    /// Sends a request, complete with its `Host`.
    func request(_ method: String, _ target: String, headers: [String] = [], body: String? = nil) throws {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"] + headers
        if let body {
            lines.append("Content-Length: \(body.utf8.count)")
        }
        try send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    }

    /// Sends a `GET` and waits for the response.
    func get(_ target: String, headers: [String] = []) throws -> TestResponse {
        try request("GET", target, headers: headers)
        return try readResponse()
    }

    /// Sends a `POST` and waits for the response.
    func post(_ target: String, _ body: String, headers: [String] = []) throws -> TestResponse {
        try request("POST", target, headers: headers, body: body)
        return try readResponse()
    }

    /// Waits for a response's head.
    func readHead() throws -> TestResponse {
        let status = try readLine().split(separator: " ")
        guard status.count >= 2, status[0] == "HTTP/1.1", let code = Int(status[1]) else {
            throw Failure(description: "not a status line: \(status)")
        }
        var response = TestResponse(status: code, headers: [], body: [])
        while true {
            let line = try readLine()
            if line.isEmpty { return response }
            let pieces = line.split(separator: ":", maxSplits: 1)
            guard pieces.count == 2 else { throw Failure(description: "not a header field: \(line)") }
            response.headers.append((String(pieces[0]), pieces[1].drop { $0 == " " }.description))
        }
    }

    /// Waits for a whole response.
    func readResponse(toHead isHead: Bool = false) throws -> TestResponse {
        var response = try readHead()
        if isHead || response.status == 204 || response.status == 304 || response.status == 100 {
            return response
        }
        if response.header("Transfer-Encoding") == "chunked" {
            while let chunk = try readChunk() {
                response.body += chunk
            }
        } else if let length = response.header("Content-Length").flatMap({ Int($0) }) {
            response.body = try read(length)
        } else {
            response.body = try readToEnd()
        }
        return response
    }

    /// Waits for a chunk of a stream; nil is its end.
    func readChunk() throws -> [UInt8]? {
        let size = try readLine()
        guard let count = Int(size, radix: 16) else {
            throw Failure(description: "not a chunk size: \(size)")
        }
        let bytes = try read(count)
        guard try readLine().isEmpty else { throw Failure(description: "no line end after a chunk") }
        return count == 0 ? nil : bytes
    }

    /// Waits until this much of a stream has come.
    func readChunks(count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard let chunk = try readChunk() else { throw Failure(description: "the stream ended early") }
            bytes += chunk
        }
        return bytes
    }
}
