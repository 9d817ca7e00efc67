/// Reads JSON (RFC 8259) into a ``FlagValue``: whole numbers exact over 64 bits, `1` apart from `1.0`.
///
/// Of two members with one name the last is kept, unless ``Limits/refusesDuplicateNames`` is set. A lone surrogate
/// in an escape becomes U+FFFD, as a Swift string cannot hold it. Anything else outside the grammar is an error,
/// invalid UTF-8 and numbers too large for a double included.
package struct JSONParser {
    /// What the parser accepts at most.
    package struct Limits: Sendable {
        /// How deep arrays and objects may nest.
        ///
        /// Default 128.
        package var depth: Int
        /// How many bytes a text may have.
        ///
        /// Default: no limit.
        package var bytes: Int
        /// Whether an object with two members of one name is an error.
        ///
        /// Default `false`.
        package var refusesDuplicateNames: Bool

        /// Makes limits.
        package init(depth: Int = 128, bytes: Int = .max, refusesDuplicateNames: Bool = false) {
            self.depth = depth
            self.bytes = bytes
            self.refusesDuplicateNames = refusesDuplicateNames
        }
    }

    let bytes: UnsafeBufferPointer<UInt8>
    let limits: Limits
    var position = 0
    var depth = 0
    /// Where escaped strings are put together; kept to be used again.
    var scratch: [UInt8] = []
    /// The members of the objects that are being read, the innermost object's last.
    private var members: [Member] = []

    private struct Member {
        var name: String
        var value: FlagValue
        /// The offset of the name.
        var start: Int
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, limits: Limits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// Reads one value that makes up the whole text.
    package static func parse(_ bytes: [UInt8], limits: Limits = Limits()) throws(JSONError) -> FlagValue {
        // The closure cannot throw a typed error through `withUnsafeBufferPointer` of every supported toolchain.
        let result: Result<FlagValue, JSONError> = bytes.withUnsafeBufferPointer { parse($0, limits: limits) }
        return try result.get()
    }

    /// Reads one value that makes up the whole text.
    package static func parse(_ text: String, limits: Limits = Limits()) throws(JSONError) -> FlagValue {
        var text = text
        let result: Result<FlagValue, JSONError> = text.withUTF8 { parse($0, limits: limits) }
        return try result.get()
    }

    private static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, limits: Limits
    ) -> Result<FlagValue, JSONError> {
        var parser = JSONParser(bytes: bytes, limits: limits)
        do throws(JSONError) {
            return .success(try parser.parseDocument())
        } catch {
            return .failure(error)
        }
    }

    private mutating func parseDocument() throws(JSONError) -> FlagValue {
        if bytes.count > limits.bytes {
            throw fault("the text has \(bytes.count) bytes; at most \(limits.bytes) are accepted", at: 0)
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        skipSpace()
        let value = try parseValue()
        skipSpace()
        if position < bytes.count { throw fault("expected the end of the text") }
        return value
    }

    mutating func parseValue() throws(JSONError) -> FlagValue {
        guard position < bytes.count else { throw fault("expected a value") }
        switch bytes[position] {
        case UInt8(ascii: "\""):
            return .string(try parseString())
        case UInt8(ascii: "{"):
            return try parseObject()
        case UInt8(ascii: "["):
            return try parseArray()
        case UInt8(ascii: "t"):
            try expect("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try expect("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try expect("null")
            return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try parseNumber()
        default:
            throw fault("expected a value")
        }
    }

    private mutating func parseArray() throws(JSONError) -> FlagValue {
        try enter()
        var elements: [FlagValue] = []
        skipSpace()
        if !take(UInt8(ascii: "]")) {
            repeat {
                skipSpace()
                elements.append(try parseValue())
                skipSpace()
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "]")) else { throw fault("expected ',' or ']' after an element") }
        }
        depth -= 1
        return .array(elements)
    }

    private mutating func parseObject() throws(JSONError) -> FlagValue {
        try enter()
        let firstMember = members.count
        skipSpace()
        if !take(UInt8(ascii: "}")) {
            repeat {
                skipSpace()
                let start = position
                guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                    throw fault("expected a name in quotes")
                }
                let name = try parseString()
                skipSpace()
                guard take(UInt8(ascii: ":")) else { throw fault("expected ':' after a name") }
                skipSpace()
                members.append(Member(name: name, value: try parseValue(), start: start))
                skipSpace()
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "}")) else { throw fault("expected ',' or '}' after a member") }
        }
        depth -= 1
        return .object(try takeMembers(from: firstMember))
    }

    /// Makes the members read since `firstMember` into a dictionary.
    ///
    /// It gets its final size at once: growing member by member would hash each name several times.
    private mutating func takeMembers(from firstMember: Int) throws(JSONError) -> [String: FlagValue] {
        if members.count == firstMember { return [:] }
        var object = [String: FlagValue](minimumCapacity: members.count - firstMember)
        for member in members[firstMember...] {
            let former = object.updateValue(member.value, forKey: member.name)
            if former != nil, limits.refusesDuplicateNames {
                throw fault("the name \"\(member.name)\" stands twice in one object", at: member.start)
            }
        }
        members.removeLast(members.count - firstMember)
        return object
    }

    private mutating func enter() throws(JSONError) {
        depth += 1
        if depth > limits.depth { throw fault("nested deeper than \(limits.depth) levels") }
        position += 1
    }

    // MARK: Small steps

    /// Whether the next byte is the given one, which is then consumed.
    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func expect(_ word: StaticString) throws(JSONError) {
        for offset in 0..<word.utf8CodeUnitCount {
            guard position + offset < bytes.count, bytes[position + offset] == word.utf8Start[offset] else {
                throw fault("expected a value")
            }
        }
        position += word.utf8CodeUnitCount
    }

    func fault(_ message: String, at offset: Int? = nil) -> JSONError {
        JSONError(message, at: offset ?? position, in: bytes)
    }
}
