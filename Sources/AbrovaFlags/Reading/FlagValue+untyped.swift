import Flagstaff
import Foundation

extension FlagValue {
    /// The value as code without types expects it: as `JSONSerialization` gives it.
    var untyped: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .int(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .string(let value): value
        case .array(let elements): elements.map(\.untyped)
        case .object(let members): members.mapValues(\.untyped)
        }
    }
}
