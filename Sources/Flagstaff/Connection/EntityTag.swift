/// Comparing ETags (RFC 9110, section 8.8.3.2).
enum EntityTag {
    /// Whether two tags stand for the same state; a weak tag is the same as the strong one.
    static func areSame(_ left: String, _ right: String?) -> Bool {
        right.map { strong(left) == strong($0) } ?? false
    }

    private static func strong(_ etag: String) -> Substring {
        etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...]
    }
}
