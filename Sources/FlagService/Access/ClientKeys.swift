import FlagModel

/// The keys that clients may come with.
///
/// Only digests are kept, and they are compared in constant time.
package struct ClientKeys: Sendable {
    /// Stands for a key in everything that is derived from it: a digest, of which the key cannot be told.
    package struct ID: Hashable, Sendable, CustomStringConvertible {
        fileprivate var digest: [UInt8]

        /// The digest in hexadecimal digits.
        ///
        /// Not for logs in whole.
        package var description: String {
            digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        }
    }

    /// Why a list of keys was refused.
    package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String
    }

    private let ids: [ID]

    /// Whether any client is let in, because there are no keys.
    package var isOpen: Bool { ids.isEmpty }

    /// How many keys there are.
    package var count: Int { ids.count }

    /// Takes keys in clear and keeps their digests.
    ///
    /// A blank key, or one with a space or control character in it, which no header could carry, is refused.
    package init(_ keys: [String]) throws(Refusal) {
        var ids: [ID] = []
        for key in keys {
            guard !key.isEmpty, key.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
                throw Refusal(description: "a client key must have at least one character and no spaces")
            }
            let id = Self.id(of: key)
            if !ids.contains(id) { ids.append(id) }
        }
        self.ids = ids
    }

    /// Reads keys from the text of a file: one a line; blank lines and lines that begin with `#` mean nothing.
    package static func lines(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline)
            .map { $0.drop(while: \.isWhitespace) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
            .map { line in String(line.reversed().drop(while: \.isWhitespace).reversed()) }
    }

    /// The key that a request comes with: `Authorization: Bearer KEY`, else `X-API-Key: KEY`.
    package static func presented(authorization: String?, apiKey: String?) -> String? {
        if let authorization {
            let parts = authorization.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
            if parts.count == 2, parts[0].lowercased() == "bearer" {
                return String(parts[1].drop { $0 == " " })
            }
        }
        return apiKey
    }

    /// The id of a key that is in the list.
    ///
    /// Takes the same time whichever key it is, and whether it is one.
    package func id(for key: String) -> ID? {
        match(Self.id(of: key).digest) { $0.digest }
    }

    /// The id of the key that a stream token was made for.
    package func id(forStreamToken token: String) -> ID? {
        match(Array(token.utf8)) { Array(Self.streamToken(for: $0).utf8) }
    }

    /// What admits to the notice stream in place of a key, as browsers' event streams cannot send headers.
    ///
    /// It opens nothing else, and the key cannot be told from it.
    package static func streamToken(for id: ID) -> String {
        ID(digest: Array(SHA256.digest(of: Array("flagstaff stream".utf8) + id.digest).prefix(16)))
            .description
    }

    private static func id(of key: String) -> ID {
        ID(digest: SHA256.digest(of: Array(key.utf8)))
    }

    private func match(_ wanted: [UInt8], _ bytes: (ID) -> [UInt8]) -> ID? {
        var found: ID?
        for id in ids {
            let candidate = bytes(id)
            var difference = candidate.count == wanted.count ? 0 as UInt8 : 1
            for (left, right) in zip(candidate, wanted) { difference |= left ^ right }
            if difference == 0 { found = id }
        }
        return found
    }
}
