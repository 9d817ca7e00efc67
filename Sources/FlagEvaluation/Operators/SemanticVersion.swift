/// A version by the rules of Semantic Versioning 2.0.0, as a view of the bytes it was read from.
///
/// Numbers can have any size: they are compared as digits.
struct SemanticVersion {
    private let major: Slice<UnsafeRawBufferPointer>
    private let minor: Slice<UnsafeRawBufferPointer>
    private let patch: Slice<UnsafeRawBufferPointer>
    private let prerelease: Slice<UnsafeRawBufferPointer>

    /// Reads a version.
    ///
    /// One "v" before it is allowed, and missing parts are 0: `v1.2` is `1.2.0`. Build metadata is checked
    /// and ignored. Anything else that is not strictly a version gives `nil`.
    init?(_ text: UnsafeRawBufferPointer) {
        var rest = text[...]
        if let first = rest.first, first | 0x20 == UInt8(ascii: "v") { rest = rest.dropFirst() }

        let coreEnd = rest.firstIndex { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } ?? rest.endIndex
        let parts = rest[..<coreEnd].split(
            separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts.allSatisfy(Self.isNumber) else { return nil }
        major = parts[0]
        minor = parts.count > 1 ? parts[1] : Self.zero
        patch = parts.count > 2 ? parts[2] : Self.zero

        let suffix = rest[coreEnd...]
        let buildStart = suffix.firstIndex(of: UInt8(ascii: "+")) ?? suffix.endIndex
        if suffix.first == UInt8(ascii: "-") {
            prerelease = suffix[..<buildStart].dropFirst()
            guard Self.hasIdentifiers(prerelease, where: Self.isPrereleaseIdentifier) else { return nil }
        } else {
            prerelease = suffix[..<buildStart]
        }
        if buildStart < suffix.endIndex {
            let build = suffix[buildStart...].dropFirst()
            guard Self.hasIdentifiers(build, where: Self.isIdentifier) else { return nil }
        }
    }

    /// How it compares: less than, equal to or greater than 0.
    func order(against other: SemanticVersion) -> Int {
        let core = Self.numberOrder(major, other.major)
        if core != 0 { return core }
        let feature = Self.numberOrder(minor, other.minor)
        if feature != 0 { return feature }
        let fix = Self.numberOrder(patch, other.patch)
        if fix != 0 { return fix }
        return Self.prereleaseOrder(prerelease, other.prerelease)
    }

    /// Whether the major versions are the same.
    func hasSameMajor(as other: SemanticVersion) -> Bool {
        Self.numberOrder(major, other.major) == 0
    }

    /// Whether major and minor versions are the same.
    func hasSameMinor(as other: SemanticVersion) -> Bool {
        hasSameMajor(as: other) && Self.numberOrder(minor, other.minor) == 0
    }

    private static var zero: Slice<UnsafeRawBufferPointer> {
        let digit: StaticString = "0"
        return UnsafeRawBufferPointer(start: digit.utf8Start, count: 1)[...]
    }

    // MARK: Grammar

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    private static func isNumber(_ digits: Slice<UnsafeRawBufferPointer>) -> Bool {
        !digits.isEmpty && digits.allSatisfy(isDigit)
            && (digits.count == 1 || digits.first != UInt8(ascii: "0"))
    }

    private static func isIdentifier(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        !text.isEmpty
            && text.allSatisfy { byte in
                isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "-")
            }
    }

    private static func isPrereleaseIdentifier(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        isIdentifier(text) && (!text.allSatisfy(isDigit) || isNumber(text))
    }

    private static func hasIdentifiers(
        _ text: Slice<UnsafeRawBufferPointer>, where isValid: (Slice<UnsafeRawBufferPointer>) -> Bool
    ) -> Bool {
        text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy(isValid)
    }

    // MARK: Precedence

    /// The order of two whole numbers without leading zeros.
    private static func numberOrder(
        _ left: Slice<UnsafeRawBufferPointer>, _ right: Slice<UnsafeRawBufferPointer>
    ) -> Int {
        left.count == right.count ? byteOrder(left, right) : left.count - right.count
    }

    private static func byteOrder(
        _ left: Slice<UnsafeRawBufferPointer>, _ right: Slice<UnsafeRawBufferPointer>
    ) -> Int {
        for (left, right) in zip(left, right) where left != right { return Int(left) - Int(right) }
        return left.count - right.count
    }

    private static func prereleaseOrder(
        _ left: Slice<UnsafeRawBufferPointer>, _ right: Slice<UnsafeRawBufferPointer>
    ) -> Int {
        // A version without a prerelease comes after those with one.
        if left.isEmpty || right.isEmpty { return (left.isEmpty ? 1 : 0) - (right.isEmpty ? 1 : 0) }
        let lefts = left.split(separator: UInt8(ascii: "."))
        let rights = right.split(separator: UInt8(ascii: "."))
        for (left, right) in zip(lefts, rights) {
            let order: Int
            switch (left.allSatisfy(isDigit), right.allSatisfy(isDigit)) {
            case (true, true): order = numberOrder(left, right)
            case (true, false): order = -1
            case (false, true): order = 1
            case (false, false): order = byteOrder(left, right)
            }
            if order != 0 { return order }
        }
        return lefts.count - rights.count
    }
}
