import FlagModel

extension ServedFlag {
    /// The result of a read as a type of the language or of the app's own.
    func evaluation<Value: FlagConvertible>(
        of key: String, default defaultValue: Value
    ) -> FlagEvaluation<Value> {
        evaluation(of: key, converted: value.flatMap(Value.init(flagValue:)), default: defaultValue)
    }

    /// The result of a read as a type that is decoded.
    func evaluation<Value: Decodable & Sendable>(
        of key: String, as type: Value.Type, default defaultValue: Value
    ) -> FlagEvaluation<Value> {
        guard let value else { return evaluation(of: key, converted: nil, default: defaultValue) }
        do {
            return evaluation(
                of: key, converted: try FlagValueDecoder.decode(type, from: value), default: defaultValue)
        } catch {
            let details =
                "flag '\(key)' serves a \(value.kind) that is no \(type): \(FlagValueDecoder.words(for: error))"
            return evaluation(of: key, converted: nil, default: defaultValue, mismatch: details)
        }
    }
}
