/// Comparing ETags (RFC 9110, section 13.1.2).
enum EntityTag {
    /// Whether the header `If-None-Match` names the tag: exactly, in a list, or as a weak tag, which proxies make of
    /// a strong one when they compress.
    static func matches(_ header: String?, _ etag: String) -> Bool {
        guard let header else { return false }
        if header == etag { return true }
        return header.split(separator: ",").contains { entry in
            var entry = entry.drop { $0 == " " || $0 == "\t" }
            if entry.hasPrefix("W/") { entry = entry.dropFirst(2) }
            while entry.last == " " || entry.last == "\t" { entry.removeLast() }
            return entry == etag
        }
    }
}
