import FlagModel

// The reads that are over in nanoseconds. Each looks for its cell, takes the value and is counted; the rest is for the
// first read of a flag, and for when somebody observes.

extension ReadTable {
    /// A Boolean flag's value, or the default.
    @inline(__always)
    func bool(_ key: String, default defaultValue: Bool) -> Bool {
        scalar(key, .bool, default: { .bool(defaultValue) }).map { $0 != 0 } ?? defaultValue
    }

    /// A whole-number flag's value, or the default.
    @inline(__always)
    func int(_ key: String, default defaultValue: Int) -> Int {
        scalar(key, .int, default: { .int(Int64(defaultValue)) }).map { Int(truncatingIfNeeded: $0) }
            ?? defaultValue
    }

    /// A number flag's value, or the default.
    @inline(__always)
    func double(_ key: String, default defaultValue: Double) -> Double {
        scalar(key, .double, default: { .double(defaultValue) }).map(Double.init(bitPattern:)) ?? defaultValue
    }

    /// The value of a Boolean flag whose name is a literal, or the default.
    @inline(__always)
    func bool(literal: StaticString, default defaultValue: Bool) -> Bool {
        scalar(literal, .bool, default: { .bool(defaultValue) }).map { $0 != 0 } ?? defaultValue
    }

    /// The value of a whole-number flag whose name is a literal, or the default.
    @inline(__always)
    func int(literal: StaticString, default defaultValue: Int) -> Int {
        scalar(literal, .int, default: { .int(Int64(defaultValue)) }).map { Int(truncatingIfNeeded: $0) }
            ?? defaultValue
    }

    /// The value of a number flag whose name is a literal, or the default.
    @inline(__always)
    func double(literal: StaticString, default defaultValue: Double) -> Double {
        scalar(literal, .double, default: { .double(defaultValue) }).map(Double.init(bitPattern:))
            ?? defaultValue
    }

    @inline(__always)
    private func scalar(_ key: String, _ kind: ReadKind, default defaultValue: () -> FlagValue) -> UInt64? {
        key.withKeyBytes { scalar($0, kind, default: defaultValue) }
    }

    @inline(__always)
    private func scalar(
        _ key: UnsafeBufferPointer<UInt8>, _ kind: ReadKind, default defaultValue: () -> FlagValue
    ) -> UInt64? {
        if let cell = index.cell(key, hash: hash(key, kind)) {
            switch cell.take(stripe) {
            case .served(let bits): return bits
            case .useDefault: return nil
            case .needsLock: break
            }
        }
        return serve(key, kind, default: defaultValue).converted(to: kind).flatMap(kind.bits)
    }

    @inline(__always)
    private func scalar(
        _ literal: StaticString, _ kind: ReadKind, default defaultValue: () -> FlagValue
    ) -> UInt64? {
        let start = literal.utf8Start
        let length = literal.utf8CodeUnitCount
        if let cell = literals.cell(start, length: length, kind) {
            switch cell.take(stripe) {
            case .served(let bits): return bits
            case .useDefault: return nil
            case .needsLock: break
            }
        }
        return scalarOfNewLiteral(
            UnsafeBufferPointer(start: start, count: length), kind, default: defaultValue)
    }

    /// Reads by the literal's text, and remembers the literal for the next time.
    @inline(never)
    private func scalarOfNewLiteral(
        _ literal: UnsafeBufferPointer<UInt8>, _ kind: ReadKind, default defaultValue: () -> FlagValue
    ) -> UInt64? {
        let bits = scalar(literal, kind, default: defaultValue)
        if !literals.isFull { learn(literal, kind) }
        return bits
    }
}

extension String {
    /// Gives the UTF-8 bytes; those of a string in another form, such as a bridged one, are copied for it.
    @inline(__always)
    func withKeyBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }
}
