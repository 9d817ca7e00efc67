import CMicroHTTPD

extension HTTPStatus {
    /// The status in words, such as "Not Found".
    package var reasonPhrase: String {
        MHD_get_reason_phrase_for(UInt32(clamping: rawValue)).map { String(cString: $0) } ?? "Unknown"
    }
}
