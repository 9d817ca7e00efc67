import Flagstaff
import Foundation

// Reads: from memory, at any time and from any thread. Those of the language's types are the native client's own; what
// is not to be counted is read from the snapshot, whose reads never are.

extension Quonfig {
    /// Whether a flag is on: a Boolean flag that serves `true`.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - logExposure: Whether the read is counted in reports. Default `true`.
    /// - Returns: Whether it is; `false` for an unknown flag, and one of another type.
    public func isEnabled(_ key: String, logExposure: Bool = true) -> Bool {
        logExposure ? client.isEnabled(key) : client.snapshot.isEnabled(key)
    }

    /// A text config's value.
    ///
    /// - Parameters:
    ///   - key: The config's key.
    ///   - defaultValue: For an unknown config, and one of another type.
    ///   - logExposure: Whether the read is counted in reports. Default `true`.
    /// - Returns: The value, or the default.
    public func string(_ key: String, default defaultValue: String, logExposure: Bool = true) -> String {
        logExposure
            ? client.value(for: key, default: defaultValue)
            : client.snapshot.value(for: key, default: defaultValue)
    }

    /// A config's value that is a whole number, such as `3` or `3.0`.
    ///
    /// - Parameters:
    ///   - key: The config's key.
    ///   - defaultValue: For an unknown config, one of another type, and a number that `Int` cannot hold.
    ///   - logExposure: Whether the read is counted in reports. Default `true`.
    /// - Returns: The value, or the default.
    public func int(_ key: String, default defaultValue: Int, logExposure: Bool = true) -> Int {
        logExposure
            ? client.value(for: key, default: defaultValue)
            : client.snapshot.value(for: key, default: defaultValue)
    }

    /// A number config's value; of whole numbers beyond 2⁵³ the nearest.
    ///
    /// - Parameters:
    ///   - key: The config's key.
    ///   - defaultValue: For an unknown config, and one of another type.
    ///   - logExposure: Whether the read is counted in reports. Default `true`.
    /// - Returns: The value, or the default.
    public func double(_ key: String, default defaultValue: Double, logExposure: Bool = true) -> Double {
        logExposure
            ? client.value(for: key, default: defaultValue)
            : client.snapshot.value(for: key, default: defaultValue)
    }

    /// An object config's value.
    ///
    /// Numbers in it are `NSNumber`, so that `as? Int` and `as? Double` both work; `null` is `NSNull`.
    ///
    /// - Parameters:
    ///   - key: The config's key.
    ///   - logExposure: Whether the read is counted in reports. Default `true`.
    /// - Returns: The object; `nil` for an unknown config, and one of another type.
    public func json(_ key: String, logExposure: Bool = true) -> [String: Any]? {
        var read = client.snapshot.evaluation(of: key, default: FlagValue.null)
        let object = read.isDefault ? nil : read.value.objectValue
        if object == nil, !read.isDefault {
            read.isDefault = true
            read.reason = .error
            read.errorCode = .typeMismatch
        }
        if logExposure { client.recordRead(of: read, as: [String: Any].self) }
        return object?.mapValues(\.untyped)
    }

    /// A flag's or config's value with what is known about it.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - logExposure: Whether the read is counted in reports. Default `false`.
    /// - Returns: The result.
    public func details(_ key: String, logExposure: Bool = false) -> EvaluationDetails {
        let snapshot = client.snapshot
        let read = snapshot.evaluation(of: key, default: FlagValue.null)
        if logExposure { client.recordRead(of: read) }
        return EvaluationDetails(read, snapshot.resolutions[key])
    }
}

extension FlagValue {
    /// The value as code without types expects it: as `JSONSerialization` gives it.
    fileprivate var untyped: Any {
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
