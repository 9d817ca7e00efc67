/// The target of a request, split but not decoded.
struct HTTPTarget: Hashable, Sendable {
    /// The target as received.
    let raw: String
    /// What precedes the question mark, percent-encoded; starts with a slash, except for `*`.
    let path: String
    /// What follows the first question mark, percent-encoded; nil when there is none.
    let query: String?

    init(_ raw: String) {
        self.raw = raw
        var rest = Substring(raw)
        // RFC 9112 §3.2.2: a server accepts the absolute form too, though only proxies are sent it.
        if !rest.utf8.starts(with: "/".utf8), let scheme = rest.firstRange(of: "://") {
            let authority = rest[scheme.upperBound...]
            let end = authority.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
            rest = authority[(end ?? authority.endIndex)...]
        }
        if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = String(rest[rest.utf8.index(after: mark)...])
            rest = rest[..<mark]
        } else {
            query = nil
        }
        path = rest.isEmpty ? "/" : rest.utf8.count == raw.utf8.count ? raw : String(rest)
    }
}

extension Substring {
    fileprivate func firstRange(of pattern: StaticString) -> Range<Index>? {
        let wanted = UnsafeBufferPointer(start: pattern.utf8Start, count: pattern.utf8CodeUnitCount)
        var start = utf8.startIndex
        while start != utf8.endIndex {
            if utf8[start...].starts(with: wanted) {
                return start..<utf8.index(start, offsetBy: wanted.count)
            }
            start = utf8.index(after: start)
        }
        return nil
    }
}
