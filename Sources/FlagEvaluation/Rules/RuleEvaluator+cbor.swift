/// The deterministic encoding of CBOR (RFC 8949 §4.2.1), for hashing.
extension RuleEvaluator {
    /// Appends a value: whole numbers that fit 64 bits as integers, other numbers in the shortest exact form,
    /// names of objects in order of their encodings.
    mutating func encode(_ value: Term, into builder: inout TextBuilder, depth: Int) throws(RuleFault) {
        guard depth <= TermMemory.maximumDepth else { throw .tooDeep }
        stepsLeft &-= 1
        guard stepsLeft >= 0 else { throw .tooManySteps }
        switch value.kind {
        case .undefined, .null:
            try builder.append(byte: 0xF6, using: &memory)
        case .bool:
            try builder.append(byte: value.boolean ? 0xF5 : 0xF4, using: &memory)
        case .number:
            try encode(value.number, into: &builder)
        case .wideInteger:
            try encode(value.integer, into: &builder)
        case .string:
            try encode(text: value, into: &builder)
        case .array:
            try encode(major: 4, UInt64(value.count), into: &builder)
            for element in value.elements { try encode(element, into: &builder, depth: depth + 1) }
        case .object:
            try encode(major: 5, UInt64(value.count), into: &builder)
            for member in try membersInOrder(value) {
                try encode(text: member.name, into: &builder)
                try encode(member.value, into: &builder, depth: depth + 1)
            }
        }
    }

    /// Shorter names first, then by bytes: the order of the encoded names.
    private mutating func membersInOrder(_ object: Term) throws(RuleFault) -> [Member] {
        stepsLeft &-= Int(object.count)
        guard stepsLeft >= 0 else { throw .tooManySteps }
        return object.members.sorted { left, right in
            left.name.count == right.name.count
                ? left.name.bytes.lexicographicallyPrecedes(right.name.bytes)
                : left.name.count < right.name.count
        }
    }

    private mutating func encode(
        major: UInt8, _ argument: UInt64, into builder: inout TextBuilder
    ) throws(RuleFault) {
        let type = major << 5
        switch argument {
        case 0..<24:
            try builder.append(byte: type | UInt8(argument), using: &memory)
        case 24...0xFF:
            try builder.append(byte: type | 24, using: &memory)
            try builder.append(byte: UInt8(argument), using: &memory)
        case 0x100...0xFFFF:
            try builder.append(byte: type | 25, using: &memory)
            try builder.append(bigEndian: UInt16(argument), using: &memory)
        case 0x1_0000...0xFFFF_FFFF:
            try builder.append(byte: type | 26, using: &memory)
            try builder.append(bigEndian: UInt32(argument), using: &memory)
        default:
            try builder.append(byte: type | 27, using: &memory)
            try builder.append(bigEndian: argument, using: &memory)
        }
    }

    private mutating func encode(text: Term, into builder: inout TextBuilder) throws(RuleFault) {
        try encode(major: 3, UInt64(text.count), into: &builder)
        let start = builder.count
        try builder.append(text.bytes, using: &memory)
        builder.replaceLoneSurrogates(from: start)
    }

    private mutating func encode(_ integer: Int64, into builder: inout TextBuilder) throws(RuleFault) {
        if integer >= 0 {
            try encode(major: 0, UInt64(integer), into: &builder)
        } else {
            try encode(major: 1, UInt64(bitPattern: -1 - integer), into: &builder)
        }
    }

    private mutating func encode(_ number: Double, into builder: inout TextBuilder) throws(RuleFault) {
        if let integer = Int64(exactly: number) {
            try encode(integer, into: &builder)
        } else if let integer = UInt64(exactly: number) {
            try encode(major: 0, integer, into: &builder)
        } else if number == 0x1p64 {
            // The largest 64-bit integer, 2^64 - 1, can only be held as this double.
            try encode(major: 0, UInt64.max, into: &builder)
        } else if let half = Self.half(number) {
            try builder.append(byte: 0xF9, using: &memory)
            try builder.append(bigEndian: half, using: &memory)
        } else if let single = Float(exactly: number) {
            try builder.append(byte: 0xFA, using: &memory)
            try builder.append(bigEndian: single.bitPattern, using: &memory)
        } else {
            try builder.append(byte: 0xFB, using: &memory)
            try builder.append(bigEndian: number.bitPattern, using: &memory)
        }
    }

    /// The bits of a number in half precision, if that holds it exactly. (`Float16` is not there on every
    /// platform.)
    private static func half(_ number: Double) -> UInt16? {
        let sign: UInt16 = number.sign == .minus ? 0x8000 : 0
        if number.isNaN { return 0x7E00 }
        if number.isInfinite { return sign | 0x7C00 }
        let magnitude = number.magnitude
        if magnitude >= 0x1p-14, magnitude <= 65504 {
            let fraction = (magnitude.significand - 1) * 1024
            guard let bits = UInt16(exactly: fraction) else { return nil }
            return sign | UInt16(magnitude.exponent + 15) << 10 | bits
        }
        // Below the normal range numbers are multiples of the smallest one.
        guard let bits = UInt16(exactly: magnitude * 0x1p24), bits < 1024 else { return nil }
        return sign | bits
    }
}
