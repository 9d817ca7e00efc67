/// A value while a rule is evaluated: 16 bytes without references, so that passing it costs nothing.
///
/// Texts, lists and objects are addresses in a ``TermMemory``: that of the context, that of the flag or the
/// scratch memory of one evaluation. Whoever evaluates keeps all three alive; terms never leave an
/// evaluation. Two lists or objects are the same one, in the sense of JavaScript's `==`, if their addresses
/// are equal.
struct Term: Sendable {
    enum Kind: UInt8, Sendable {
        case undefined
        case null
        case bool
        /// A number as JavaScript has it.
        case number
        /// A whole number that a double does not hold exactly: equal to its nearest double everywhere, but
        /// exact when it is hashed.
        case wideInteger
        case string
        case array
        case object
    }

    let kind: Kind
    /// Bytes of a text, elements of a list, members of an object.
    let count: UInt32
    /// The number, the Boolean or the address.
    let bits: UInt64

    @inline(__always)
    init(kind: Kind, count: UInt32 = 0, bits: UInt64 = 0) {
        self.kind = kind
        self.count = count
        self.bits = bits
    }

    @inline(__always)
    init(_ number: Double) {
        self.init(kind: .number, bits: number.bitPattern)
    }

    @inline(__always)
    init(_ value: Bool) {
        self.init(kind: .bool, bits: value ? 1 : 0)
    }

    /// A whole number, exact.
    @inline(__always)
    init(_ integer: Int64) {
        let number = Double(integer)
        if Int64(exactly: number) == integer {
            self.init(number)
        } else {
            self.init(kind: .wideInteger, bits: UInt64(bitPattern: integer))
        }
    }

    /// A text of UTF-8 bytes, in which a lone surrogate is allowed and takes three bytes (WTF-8).
    @inline(__always)
    init(text: UnsafeRawPointer, count: Int) {
        self.init(
            kind: .string, count: UInt32(truncatingIfNeeded: count), bits: UInt64(UInt(bitPattern: text)))
    }

    @inline(__always)
    init(elements: UnsafeRawPointer, count: Int) {
        self.init(
            kind: .array, count: UInt32(truncatingIfNeeded: count), bits: UInt64(UInt(bitPattern: elements)))
    }

    @inline(__always)
    init(members: UnsafeRawPointer, count: Int) {
        self.init(
            kind: .object, count: UInt32(truncatingIfNeeded: count), bits: UInt64(UInt(bitPattern: members)))
    }

    /// A text that is part of the program.
    @inline(__always)
    init(_ literal: StaticString) {
        self.init(text: literal.utf8Start, count: literal.utf8CodeUnitCount)
    }

    @inline(__always)
    static var undefined: Term { Term(kind: .undefined) }
    @inline(__always)
    static var null: Term { Term(kind: .null) }
    /// An object without members, at an address that nothing else has and nothing is read from.
    @inline(__always)
    static var emptyObject: Term { Term(kind: .object, bits: 16) }
}

extension Term {
    @inline(__always)
    var boolean: Bool { bits != 0 }
    @inline(__always)
    var number: Double { Double(bitPattern: bits) }
    @inline(__always)
    var integer: Int64 { Int64(bitPattern: bits) }

    @inline(__always)
    private var address: UnsafeRawPointer {
        // Never nil: the initializers take addresses only.
        UnsafeRawPointer(bitPattern: UInt(bits)).unsafelyUnwrapped
    }

    /// The bytes of a text.
    @inline(__always)
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: address, count: Int(count)) }

    /// The elements of a list.
    @inline(__always)
    var elements: UnsafeBufferPointer<Term> {
        UnsafeBufferPointer(start: address.assumingMemoryBound(to: Term.self), count: Int(count))
    }

    /// The members of an object, in ascending order of the names' hashes.
    @inline(__always)
    var members: UnsafeBufferPointer<Member> {
        UnsafeBufferPointer(start: address.assumingMemoryBound(to: Member.self), count: Int(count))
    }

    @inline(__always)
    var isNullOrUndefined: Bool { kind.rawValue <= Kind.null.rawValue }

    @inline(__always)
    var isCollection: Bool { kind.rawValue >= Kind.array.rawValue }

    /// Whether a condition holds, as JSONLogic sees it: as JavaScript, but an empty list is false.
    @inline(__always)
    var isTruthy: Bool {
        switch kind {
        case .undefined, .null: false
        case .bool: bits != 0
        case .number: number != 0 && !number.isNaN
        case .wideInteger, .object: true
        case .string, .array: count != 0
        }
    }
}

/// A name and a value of an object.
struct Member: Sendable {
    /// The ``nameHash(_:)`` of the name.
    let hash: UInt64
    let name: Term
    let value: Term
}

extension Term {
    /// The value of that name in an object, or `nil`.
    @inline(__always)
    func member(hash: UInt64, name: Term) -> Term? {
        let members = members
        var index = 0
        if members.count > 16 {
            var end = members.count
            while index < end {
                let middle = (index + end) / 2
                if members[middle].hash < hash { index = middle + 1 } else { end = middle }
            }
        }
        while index < members.count {
            let candidate = members[index].hash
            if candidate == hash, members[index].name.hasSameText(as: name) { return members[index].value }
            if candidate > hash { return nil }
            index += 1
        }
        return nil
    }

    /// Whether two texts have the same bytes.
    @inline(__always)
    func hasSameText(as other: Term) -> Bool {
        count == other.count && (bits == other.bits || haveSameBytes(bytes, other.bytes))
    }

    /// Whether it is the same list or object, not an equal one.
    @inline(__always)
    func isIdentical(to other: Term) -> Bool {
        kind == other.kind && bits == other.bits
    }
}

/// Compares two buffers of equal size.
@inline(__always)
func haveSameBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    let count = left.count
    if count >= 8 {
        var offset = 0
        while offset < count - 8 {
            let words = (
                left.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
                right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            )
            if words.0 != words.1 { return false }
            offset += 8
        }
        return left.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            == right.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    }
    for index in 0..<count where left[index] != right[index] { return false }
    return true
}

/// The hash by which names of members are found.
///
/// Not seeded: names with one hash only make a look-up of such a name walk through them.
@inline(__always)
func nameHash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
    var offset = 0
    while offset + 8 <= bytes.count {
        hash = mixed(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
        rest = rest << 8 | UInt64(bytes[offset])
        offset += 1
    }
    return mixed(hash ^ rest)
}

@inline(__always)
private func mixed(_ word: UInt64) -> UInt64 {
    let product = word &* 0xD6E8_FEB8_6659_FD93
    return product ^ (product >> 32)
}
