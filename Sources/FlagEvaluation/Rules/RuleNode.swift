/// What a node of a compiled rule does.
enum RuleOperation: UInt8, Sendable {
    case constant
    /// A list of nodes, evaluated one by one.
    case list

    // Reading the context. Those named "element" are inside an iterating operator and see only what it
    // iterates over.
    /// One attribute of the context, by a name known in advance.
    case attribute
    case contextPath
    case elementPath
    case wholeContext
    case wholeElement
    case flagdPath
    case timestamp
    /// A path that is itself computed, or that has unusual arguments.
    case computedContextPath
    case computedElementPath
    case missing
    case missingSome
    case elementMissing
    case elementMissingSome

    // Control
    case conditional
    case and
    case or
    case filter
    case map
    case reduce
    case all
    case none
    case some

    // Comparison
    case equal
    case notEqual
    case strictlyEqual
    case strictlyNotEqual
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
    case truthy
    case not

    // Arithmetic
    case add
    case multiply
    case subtract
    case divide
    case remainder
    case minimum
    case maximum

    // Texts and lists
    case contains
    case concatenate
    /// `cat` as the bucketing value of a `fractional` of version 3.
    case concatenateForBucketing
    case substring
    case merge
    case log

    // flagd's own
    case startsWith
    case endsWith
    case semanticVersion
    case fractional
    case elementFractional
    /// A `fractional` whose variants and weights are literals.
    case fractionalTable
    case fractionalTableByTargetingKey

    case unknown
}

/// A node of a compiled rule.
///
/// Nodes, paths and tables live in the flag's arena and are never changed.
struct RuleNode {
    let operation: RuleOperation
    let argumentCount: UInt32
    /// The first of the arguments, which lie side by side.
    let arguments: UnsafePointer<RuleNode>
    /// The literal; or the address and length of a path or a table; or the number of an unknown operator's
    /// name.
    let payload: Term

    /// The parts of a path.
    @inline(__always)
    var path: UnsafeBufferPointer<PathPart> {
        let start = UnsafePointer<PathPart>(bitPattern: UInt(payload.bits))
        return UnsafeBufferPointer(start: start, count: Int(payload.count))
    }

    /// The entries of a table.
    @inline(__always)
    var table: UnsafeBufferPointer<FractionalEntry> {
        let start = UnsafePointer<FractionalEntry>(bitPattern: UInt(payload.bits))
        return UnsafeBufferPointer(start: start, count: Int(payload.count))
    }
}

/// One name of a path, prepared for looking up.
struct PathPart: Sendable {
    let name: Term
    let hash: UInt64
    /// The index it means in a list or a text, or -1.
    let index: Int

    /// Prepares a name.
    init(_ name: Term) {
        self.name = name
        hash = nameHash(name.bytes)
        index = Self.index(name.bytes)
    }

    /// Only the usual way to write an index names an element: "1", but not "01" or "+1".
    private static func index(_ text: UnsafeRawBufferPointer) -> Int {
        guard !text.isEmpty, text.count <= 9, text.count == 1 || text[0] != UInt8(ascii: "0") else {
            return -1
        }
        var index = 0
        for byte in text {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return -1 }
            index = index * 10 + Int(digit)
        }
        return index
    }
}

/// One variant of a `fractional` with literal weights.
struct FractionalEntry {
    let variant: Term
    /// The sum of the weights up to and including this entry's.
    let upperBound: UInt64
}
