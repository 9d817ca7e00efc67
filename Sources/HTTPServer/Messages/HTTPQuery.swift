/// One `name=value` of a query, decoded.
package struct HTTPQueryItem: Hashable, Sendable {
    /// The decoded name.
    package var name: String
    /// The decoded value; nil when there is no equals sign.
    package var value: String?

    /// An item with this name and value.
    package init(name: String, value: String?) {
        self.name = name
        self.value = value
    }
}

/// Splits and decodes a query.
package enum HTTPQuery {
    /// The items of a query in their order; empty parts (`a=1&&b=2`) are skipped.
    ///
    /// - Parameter query: what follows the question mark, as received.
    /// - Returns: the items, or nil when a name or value is not properly percent-encoded UTF-8.
    package static func items(of query: some StringProtocol) -> [HTTPQueryItem]? {
        var items: [HTTPQueryItem] = []
        for part in query.split(separator: "&") {
            let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(queryComponent: pieces[0]) else { return nil }
            var value: String?
            if pieces.count == 2 {
                guard let decoded = PercentEncoding.decode(queryComponent: pieces[1]) else { return nil }
                value = decoded
            }
            items.append(HTTPQueryItem(name: name, value: value))
        }
        return items
    }
}
