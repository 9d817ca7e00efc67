import FlagModel

// Reads as types that are made from the value, and those that tell all about it. They hold what is served, make their
// result in their own time, and are counted on what they held.

extension ReadTable {
    /// A flag's value as any type, or the default.
    func value<Value: FlagConvertible>(_ key: String, default defaultValue: Value) -> Value {
        let held = hold(key)
        let converted = held.served.converted(to: Value.self)
        count(held, key, as: Value.self, fits: converted != nil, default: defaultValue)
        return converted ?? defaultValue
    }

    /// The result of a read as any type, with all that is known about it.
    func evaluation<Value: FlagConvertible>(
        _ key: String, default defaultValue: Value
    ) -> FlagEvaluation<Value> {
        let held = hold(key)
        let evaluation = held.served.evaluation(of: key, default: defaultValue)
        count(held, key, as: Value.self, fits: !evaluation.isDefault, default: defaultValue)
        return evaluation
    }

    /// The result of a read as a type that is decoded, with all that is known about it.
    func evaluation<Value: Decodable & Sendable>(
        _ key: String, as type: Value.Type, default defaultValue: Value
    ) -> FlagEvaluation<Value> {
        let held = hold(key)
        let evaluation = held.served.evaluation(of: key, as: type, default: defaultValue)
        count(held, key, as: type, fits: !evaluation.isDefault, default: defaultValue)
        return evaluation
    }

    private func count<Value>(
        _ held: Held, _ key: String, as type: Value.Type, fits: Bool, default defaultValue: Value
    ) {
        var kind = ReadKind(type)
        if kind == .value, !fits, held.served.value != nil { kind = .unfit }
        count(held, key, kind, of: type) { FlagValue(readDefault: defaultValue) ?? .null }
    }
}

extension FlagValue {
    /// A read's default as a flag would serve it; `nil` for a type that cannot be written as one.
    init?(readDefault value: Any) {
        switch value {
        case let value as FlagValue: self = value
        case let value as Bool: self = .bool(value)
        case let value as Int: self = .int(Int64(value))
        case let value as Int64: self = .int(value)
        case let value as Double: self = .double(value)
        case let value as String: self = .string(value)
        case let value as any RawRepresentable: self.init(readDefault: value.rawValue)
        default: return nil
        }
    }
}
