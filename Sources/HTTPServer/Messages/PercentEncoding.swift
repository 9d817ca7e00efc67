/// Strict decoding of percent-encoded text, as it stands in paths and queries.
package enum PercentEncoding {
    /// Decodes one segment of a path; a plus sign stays a plus sign.
    ///
    /// - Parameter segment: the text between two slashes, as received.
    /// - Returns: the decoded text, which may contain any character, `/` and NUL included; nil when a percent
    ///   sign is not followed by two hexadecimal digits, or when the result is not valid UTF-8.
    package static func decode(segment: some StringProtocol) -> String? {
        decode(segment.utf8, plusIsSpace: false)
    }

    /// Decodes a name or value of a query, where a plus sign stands for a space.
    ///
    /// - Parameter component: the text between `?`, `&` and `=`, as received.
    /// - Returns: the decoded text; nil under the same conditions as ``decode(segment:)``.
    package static func decode(queryComponent component: some StringProtocol) -> String? {
        decode(component.utf8, plusIsSpace: true)
    }

    private static func decode(_ encoded: some Collection<UInt8>, plusIsSpace: Bool) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.count)
        var iterator = encoded.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(hexadecimalValue),
                    let low = iterator.next().flatMap(hexadecimalValue)
                else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace:
                bytes.append(UInt8(ascii: " "))
            default:
                bytes.append(byte)
            }
        }
        return bytes.withUnsafeBufferPointer { strictString($0) }
    }

    /// The text of these bytes, or nil when they are not valid UTF-8.
    static func strictString(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        // `String(validating:as:)` needs a newer runtime than the oldest supported system has.
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding replaces what is invalid by U+FFFD, which cannot leave the bytes as they were.
        return text.utf8.elementsEqual(bytes) ? text : nil
    }

    private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
