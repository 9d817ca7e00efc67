import Flagstaff

extension TestValue {
    /// The value as the service serves it.
    ///
    /// A number that is not finite stops the test: the service refuses it with a message.
    var flagValue: FlagValue {
        switch self {
        case .boolean(let value): .bool(value)
        case .integer(let value): .int(Int64(value))
        case .float(let value): .double(value)
        case .string(let value): .string(value)
        case .object(let members): .object(members.mapValues(\.flagValue))
        case .array(let elements): .array(elements.map(\.flagValue))
        }
    }
}
