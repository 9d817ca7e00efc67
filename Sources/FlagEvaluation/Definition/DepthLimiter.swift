/// Cuts JSON off where it nests too deeply, so that one hostile rule costs its flag and not the whole
/// definition.
///
/// Works without recursion on text of any depth. What is cut off is overwritten, so that lines and columns
/// stay.
package enum DepthLimiter {
    /// How deep definitions are read.
    ///
    /// Rules and values may not be that deep, so nothing usable is lost.
    package static let definitionDepth = 512

    /// JSON in which every list and object below a depth is a 0.
    ///
    /// - Parameters:
    ///   - bytes: A JSON text, or what may be one.
    ///   - depth: How many levels stay.
    /// - Returns: The text, unchanged if it is not deeper. Unsound JSON stays unsound, unless all that is wrong with
    ///   it has been cut off.
    package static func limit(_ bytes: [UInt8], to depth: Int = definitionDepth) -> [UInt8] {
        guard exceeds(bytes, depth) else { return bytes }
        var result = bytes
        var level = 0
        scan(bytes) { position, byte, isInString in
            if !isInString, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                level += 1
                if level == depth + 1 {
                    result[position] = UInt8(ascii: "0")
                    return
                }
            }
            let isBelow = level > depth
            if !isInString, byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { level -= 1 }
            if isBelow, byte != UInt8(ascii: "\n") { result[position] = UInt8(ascii: " ") }
        }
        return result
    }

    private static func exceeds(_ bytes: [UInt8], _ depth: Int) -> Bool {
        var level = 0
        var deepest = 0
        scan(bytes) { _, byte, isInString in
            if isInString { return }
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                level += 1
                deepest = max(deepest, level)
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                level -= 1
            }
        }
        return deepest > depth
    }

    /// Visits each byte with whether it belongs to a string.
    @inline(__always)
    private static func scan(
        _ bytes: [UInt8], _ visit: (_ position: Int, _ byte: UInt8, _ isInString: Bool) -> Void
    ) {
        var isInString = false
        var isEscaped = false
        for (position, byte) in bytes.enumerated() {
            if isInString {
                visit(position, byte, true)
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
            } else {
                isInString = byte == UInt8(ascii: "\"")
                visit(position, byte, isInString)
            }
        }
    }
}
