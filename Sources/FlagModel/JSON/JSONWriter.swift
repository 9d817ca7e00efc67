/// Writes JSON as UTF-8 bytes: whole numbers with all digits, other numbers always recognizable as such (`1.0`).
///
/// Numbers that are not finite, which JSON cannot express, are written as `null`.
package struct JSONWriter {
    /// How values are written.
    package struct Options: OptionSet, Sendable {
        /// The options as bits.
        package let rawValue: Int

        /// Makes options from their bits.
        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// Names in the order of their UTF-8 bytes, so that equal values are written as equal bytes.
        package static let sortedKeys = Options(rawValue: 1)
        /// A member or element a line, indented by two spaces.
        package static let pretty = Options(rawValue: 2)
    }

    /// What has been written.
    package private(set) var bytes: [UInt8] = []
    private let options: Options
    private var indentation = 0

    /// Makes an empty writer.
    package init(options: Options = []) {
        self.options = options
    }

    /// The bytes of one value.
    package static func bytes(of value: FlagValue, options: Options = []) -> [UInt8] {
        var writer = JSONWriter(options: options)
        writer.write(value)
        return writer.bytes
    }

    /// Appends bytes as they are: punctuation, or JSON that was written before.
    package mutating func write(raw: some Sequence<UInt8>) {
        bytes.append(contentsOf: raw)
    }

    /// Appends literal punctuation.
    package mutating func write(raw text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a value.
    package mutating func write(_ value: FlagValue) {
        switch value {
        case .null: write(raw: "null")
        case .bool(let value): write(raw: value ? "true" : "false")
        case .int(let value): write(value)
        case .double(let value): write(value)
        case .string(let value): write(value)
        case .array(let elements): write(elements)
        case .object(let members): write(members)
        }
    }

    /// Appends a whole number.
    package mutating func write(_ value: Int64) {
        if value >= 0, value < 10 {
            bytes.append(UInt8(ascii: "0") + UInt8(value))
        } else {
            bytes.append(contentsOf: value.description.utf8)
        }
    }

    /// Appends a number in the shortest form that reads back as the same double.
    package mutating func write(_ value: Double) {
        if value.isFinite {
            bytes.append(contentsOf: value.description.utf8)
        } else {
            write(raw: "null")
        }
    }

    private mutating func write(_ elements: [FlagValue]) {
        bytes.append(UInt8(ascii: "["))
        indentation += 1
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            breakLine()
            write(element)
        }
        indentation -= 1
        if !elements.isEmpty { breakLine() }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Appends an object.
    package mutating func write(_ members: [String: FlagValue]) {
        bytes.append(UInt8(ascii: "{"))
        indentation += 1
        var isFirst = true
        if options.contains(.sortedKeys), members.count > 1 {
            for (name, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                write(name: name, value, isFirst: &isFirst)
            }
        } else {
            for (name, value) in members {
                write(name: name, value, isFirst: &isFirst)
            }
        }
        indentation -= 1
        if !members.isEmpty { breakLine() }
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func write(name: String, _ value: FlagValue, isFirst: inout Bool) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        breakLine()
        write(name)
        bytes.append(UInt8(ascii: ":"))
        if options.contains(.pretty) { bytes.append(UInt8(ascii: " ")) }
        write(value)
    }

    private mutating func breakLine() {
        guard options.contains(.pretty) else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation * 2))
    }

    /// Appends a string in quotes, with only the escapes that JSON requires.
    package mutating func write(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { content in
            var start = 0
            for index in content.indices where isEscaped[Int(content[index])] {
                bytes.append(contentsOf: content[start..<index])
                writeEscape(content[index])
                start = index + 1
            }
            bytes.append(contentsOf: content[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func writeEscape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
            write(raw: "u00")
            for digit in [byte >> 4, byte & 15] {
                bytes.append(digit < 10 ? 48 + digit : 87 + digit)
            }
        }
    }
}

/// Which bytes of a string have to be escaped.
private let isEscaped: [Bool] = (0..<256).map { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
