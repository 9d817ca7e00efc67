/// An event of the standard's change stream: "the evaluation may have changed, fetch it again".
package struct RefetchNotice: Hashable, Sendable {
    /// The ETag of the configuration that the notice speaks of; goes back as the query item `flagConfigEtag`.
    package var etag: String?
    /// Its time of change as the server wrote it; goes back as the query item `flagConfigLastModified`.
    package var lastModified: String?

    /// Makes a notice.
    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    /// Reads the data of an event; `nil` for any other type of notice and for data that is no JSON object, both of
    /// which clients pass over.
    package init?(data: String) {
        guard let document = try? JSONParser.parse(data),
            document["type"]?.stringValue == "refetchEvaluation"
        else { return nil }
        etag = document["etag"]?.stringValue
        lastModified = document["lastModified"].flatMap { value in
            value.stringValue ?? value.intValue.map(String.init)
        }
    }

    /// The data of the event.
    package var data: String {
        var members: [String: FlagValue] = ["type": "refetchEvaluation"]
        if let etag { members["etag"] = .string(etag) }
        if let lastModified { members["lastModified"] = .string(lastModified) }
        return FlagValue.object(members).jsonText
    }
}
