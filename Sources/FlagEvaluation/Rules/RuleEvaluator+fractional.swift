extension RuleEvaluator {
    /// `fractional` in its general form: bucketing value, variants and weights are all computed.
    mutating func fractional(
        _ node: UnsafePointer<RuleNode>, isElement: Bool, _ element: Term
    ) throws(RuleFault) -> Term {
        let arguments = try allArguments(node, element)
        guard let first = arguments.first else { return .null }
        var entries = arguments
        let hash: UInt32?
        if first.kind == .array {
            // Inside an iterating operator there is no targeting key to be seen.
            hash = isElement ? nil : try targetingKeyHash()
        } else {
            entries = UnsafeBufferPointer(rebasing: arguments[1...])
            hash = try bucketHash(of: first)
        }
        guard let hash else { return .null }

        var total = 0.0
        for entry in entries {
            guard let weight = weight(of: entry) else { return .null }
            total += weight
        }
        guard total > 0, total <= Self.maximumTotal else { return .null }
        let bucket = Self.bucket(hash, of: UInt64(total))
        var upperBound: UInt64 = 0
        for entry in entries {
            upperBound += UInt64(weight(of: entry) ?? 0)
            if bucket < upperBound { return entry.elements[0] }
        }
        return .null
    }

    /// `fractional` with literal variants and weights.
    mutating func fractionalTable(
        _ node: UnsafePointer<RuleNode>, _ element: Term
    ) throws(RuleFault) -> Term {
        let value = try argument(0, node, element)
        // A list is no bucketing value but would have to be an entry, which only the general form can tell.
        if value.kind == .array { return try fractional(node, isElement: false, element) }
        guard let hash = try bucketHash(of: value) else { return .null }
        return variant(for: hash, in: node.pointee.table)
    }

    /// `fractional` with literal variants and weights and the targeting key.
    mutating func fractionalTableByTargetingKey(_ node: UnsafePointer<RuleNode>) throws(RuleFault) -> Term {
        guard let hash = try targetingKeyHash() else { return .null }
        return variant(for: hash, in: node.pointee.table)
    }

    private func variant(for hash: UInt32, in table: UnsafeBufferPointer<FractionalEntry>) -> Term {
        guard let total = table.last?.upperBound else { return .null }
        let bucket = Self.bucket(hash, of: total)
        for entry in table where bucket < entry.upperBound { return entry.variant }
        return .null
    }

    private static func bucket(_ hash: UInt32, of total: UInt64) -> UInt64 {
        (UInt64(hash) * total) >> 32
    }

    /// The largest sum of weights, which is the largest 32-bit integer.
    static let maximumTotal = 2_147_483_647.0

    /// The weight of an entry `[variant, weight]` or `[variant]`; `nil` if it is none.
    private func weight(of entry: Term) -> Double? {
        guard entry.kind == .array, (1...2).contains(entry.count) else { return nil }
        return entry.count == 1 ? 1 : Self.weight(of: entry.elements[1])
    }

    /// A whole number, 0 if it is negative; `nil` for anything else.
    static func weight(of term: Term) -> Double? {
        switch term.kind {
        case .number:
            guard term.number.isFinite, term.number == term.number.rounded(.towardZero) else { return nil }
            return max(term.number, 0)
        case .wideInteger:
            return max(Double(term.integer), 0)
        default:
            return nil
        }
    }

    // MARK: Hashes

    /// The hash of a bucketing value; `nil` if nothing can be bucketed by it.
    private mutating func bucketHash(of value: Term) throws(RuleFault) -> UInt32? {
        switch scheme {
        case .v2:
            guard value.kind == .string, value.count > 0 else { return nil }
            try charge(reading: Int(value.count) * 8)
            return MurmurHash3.hash32(value.bytes)
        case .v3:
            if value.isNullOrUndefined { return nil }
            var builder = TextBuilder()
            try encode(value, into: &builder, depth: 0)
            return MurmurHash3.hash32(builder.bytes)
        }
    }

    /// The hash of flag key and targeting key; `nil` without a targeting key.
    private mutating func targetingKeyHash() throws(RuleFault) -> UInt32? {
        let names = flagdNames
        let key = context.member(hash: names.targetingKey.hash, name: names.targetingKey.name) ?? .null
        guard key.kind == .string, key.count > 0 else { return nil }
        try charge(reading: Int(key.count) * 8)
        var builder = TextBuilder()
        switch scheme {
        case .v2:
            try builder.append(flagKey.bytes, using: &memory)
            try builder.append(key.bytes, using: &memory)
        case .v3:
            try builder.append(byte: 0x82, using: &memory)
            try encode(flagKey, into: &builder, depth: 0)
            try encode(key, into: &builder, depth: 0)
        }
        return MurmurHash3.hash32(builder.bytes)
    }
}
