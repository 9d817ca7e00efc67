/// What an evaluation gave, whatever its type.
public struct ConfigEvaluationValue: Sendable, Equatable, CustomStringConvertible {
    private let value: any Sendable
    /// The type that it was evaluated as: the value can be of a subclass.
    private let type: any Any.Type
    /// The value as text: the config's own, or the description of a default.
    public let description: String

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - served: The config's own text; `nil` for a default.
    init<Value: Sendable>(_ value: Value, served: String?) {
        self.value = value
        type = Value.self
        description = served ?? String(describing: value)
    }

    /// The value as that type; `nil` when the config was evaluated as another one.
    ///
    /// - Parameter type: The type.
    /// - Returns: The value.
    public func `as`<Value: Sendable>(_ type: Value.Type) -> Value? {
        // By the type itself: a cast would take an optional, or a bridged number, for what it holds.
        self.type == type ? value as? Value : nil
    }

    /// Whether both are values of one type that are equal, or have the same text where the type cannot tell.
    public static func == (left: ConfigEvaluationValue, right: ConfigEvaluationValue) -> Bool {
        guard left.type == right.type else { return false }
        guard let value = left.value as? any Equatable else { return left.description == right.description }
        return value.isEqual(to: right.value)
    }
}

extension Equatable {
    fileprivate func isEqual(to other: any Sendable) -> Bool {
        other as? Self == self
    }
}
