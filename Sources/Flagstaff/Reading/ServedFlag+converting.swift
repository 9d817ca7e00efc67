import FlagModel

extension ServedFlag {
    /// The result of a read as a type of the language or of the app's own.
    func evaluation<Value: FlagConvertible>(
        of key: String, default defaultValue: Value
    ) -> FlagEvaluation<Value> {
        let converted = converted(to: Value.self)
        return evaluation(
            of: key, converted: converted, default: defaultValue,
            mismatch: converted == nil ? mismatch(ReadKind(Value.self)) : nil)
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
                "flag '\(key)' serves \(value.kindWithArticle) that is no \(type): \(FlagValueDecoder.words(for: error))"
            return evaluation(of: key, converted: nil, default: defaultValue, mismatch: details)
        }
    }
}
