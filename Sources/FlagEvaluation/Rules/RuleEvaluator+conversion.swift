extension RuleEvaluator {
    /// JavaScript's `Number(value)`.
    @inline(__always)
    mutating func number(of value: Term) throws(RuleFault) -> Double {
        value.kind == .number ? value.number : try convertedNumber(value)
    }

    @inline(never)
    private mutating func convertedNumber(_ value: Term) throws(RuleFault) -> Double {
        switch value.kind {
        case .undefined, .object:
            return .nan
        case .null:
            return 0
        case .bool:
            return value.boolean ? 1 : 0
        case .number:
            return value.number
        case .wideInteger:
            return Double(value.integer)
        case .string:
            try charge(reading: Int(value.count))
            return NumberParsing.number(value.bytes)
        case .array:
            return NumberParsing.number(try text(of: value).bytes)
        }
    }

    /// JavaScript's `parseFloat(value)`.
    mutating func leadingNumber(of value: Term) throws(RuleFault) -> Double {
        switch value.kind {
        case .number:
            // Adding 0 turns -0 into 0, as writing it out and reading it back does.
            return value.number + 0
        case .wideInteger:
            return Double(value.integer)
        case .undefined, .null, .bool, .object:
            return .nan
        case .string:
            try charge(reading: Int(value.count))
            return NumberParsing.leadingNumber(value.bytes)
        case .array:
            return NumberParsing.leadingNumber(try text(of: value).bytes)
        }
    }

    /// JavaScript's `String(value)`.
    mutating func text(of value: Term) throws(RuleFault) -> Term {
        switch value.kind {
        case .undefined: return Term("undefined")
        case .null: return Term("null")
        case .bool: return value.boolean ? Term("true") : Term("false")
        case .string: return value
        case .object: return Term("[object Object]")
        case .number, .wideInteger, .array:
            var builder = TextBuilder()
            try append(value, to: &builder, depth: 0)
            return builder.term
        }
    }

    /// Appends a value as a list's `join` writes it: `null` and `undefined` as nothing.
    mutating func append(_ value: Term, to builder: inout TextBuilder, depth: Int) throws(RuleFault) {
        switch value.kind {
        case .undefined, .null:
            break
        case .string:
            try builder.append(value.bytes, using: &memory)
        case .bool, .object:
            try builder.append(try text(of: value).bytes, using: &memory)
        case .number:
            try append(number: value.number, to: &builder)
        case .wideInteger:
            try append(number: Double(value.integer), to: &builder)
        case .array:
            guard depth < TermMemory.maximumDepth else { throw .tooDeep }
            for (index, element) in value.elements.enumerated() {
                stepsLeft &-= 1
                guard stepsLeft >= 0 else { throw .tooManySteps }
                if index > 0 { try builder.append(Term(",").bytes, using: &memory) }
                try append(element, to: &builder, depth: depth + 1)
            }
        }
    }

    private mutating func append(number: Double, to builder: inout TextBuilder) throws(RuleFault) {
        var text = NumberText.text(number)
        let result: Result<TextBuilder, RuleFault> = text.withUTF8 { bytes in
            var copy = builder
            do throws(RuleFault) {
                try copy.append(UnsafeRawBufferPointer(bytes), using: &memory)
                return .success(copy)
            } catch {
                return .failure(error)
            }
        }
        builder = try result.get()
    }

    /// A part of a text, counted in UTF-16 units.
    ///
    /// Only when a pair is cut in two does it take memory.
    mutating func slice(_ text: Term, from start: Int, to end: Int) throws(RuleFault) -> Term {
        let bytes = text.bytes
        let (first, startsInPair) = TextScanning.offset(ofUnit: start, in: bytes)
        let (last, endsInPair) = TextScanning.offset(ofUnit: end, in: bytes)
        guard startsInPair || endsInPair else {
            return Term(text: bytes.baseAddress.unsafelyUnwrapped + first, count: last - first)
        }
        var builder = TextBuilder()
        var wholeStart = first
        if startsInPair {
            if start >= end { return Term("") }
            wholeStart += 4
            let point = TextScanning.codePoint(at: first, in: bytes)
            try builder.append(unit: 0xDC00 + (point - 0x10000) & 0x3FF, using: &memory)
        }
        if wholeStart < last {
            try builder.append(UnsafeRawBufferPointer(rebasing: bytes[wholeStart..<last]), using: &memory)
        }
        if endsInPair, last >= wholeStart {
            let point = TextScanning.codePoint(at: last, in: bytes)
            try builder.append(unit: 0xD800 + (point - 0x10000) >> 10, using: &memory)
        }
        return builder.term
    }
}
