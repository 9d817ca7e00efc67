public import FlagModel

extension [FlagResolution] {
    /// Flags that serve these values and nothing else: without variant and metadata, for the reason `STATIC`.
    ///
    /// - Parameter values: The values by flag. A blank key, and a number that is not finite, is a fault of the test and
    ///   stops it with a message.
    /// - Returns: The flags, sorted by key.
    public static func values(_ values: [String: FlagValue]) -> [FlagResolution] {
        values.sorted { $0.key < $1.key }.map { key, value in
            FlagResolution(key: key, value: value, reason: .static).checked
        }
    }
}

extension FlagResolution {
    /// The resolution, unless no service could serve it.
    var checked: FlagResolution {
        precondition(key.contains { !$0.isWhitespace }, "a flag's key must not be blank")
        precondition(
            value?.isFinite ?? true && metadata.values.allSatisfy(\.isFinite),
            "flag '\(key)' has a number that is not finite, which no service can serve")
        return self
    }
}

extension FlagValue {
    /// Whether all numbers in it are.
    fileprivate var isFinite: Bool {
        switch self {
        case .double(let number): number.isFinite
        case .array(let elements): elements.allSatisfy(\.isFinite)
        case .object(let members): members.values.allSatisfy(\.isFinite)
        case .null, .bool, .int, .string: true
        }
    }
}
