import FlagModel
import Foundation

/// Decodes types from a flag's value as it lies in memory, without writing it as JSON first.
///
/// Numbers follow the one rule of all reads: they convert where nothing is lost. Dates are seconds since 1970 or text
/// in the form of ISO 8601, addresses are text, data is text in base 64.
struct FlagValueDecoder: Decoder {
    let value: FlagValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Decodes a type.
    ///
    /// - Throws: What the type's own decoding throws; a `DecodingError` with the path of what does not fit.
    static func decode<Value: Decodable>(_ type: Value.Type, from value: FlagValue) throws -> Value {
        try FlagValueDecoder(value: value, codingPath: []).unbox(type)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else {
            throw mismatch(found: [String: FlagValue].self, "object")
        }
        return KeyedDecodingContainer(FlagKeyedContainer(members: members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch(found: [FlagValue].self, "array") }
        return FlagUnkeyedContainer(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        FlagSingleContainer(decoder: self)
    }

    /// The decoder of a part of the value.
    func part(_ value: FlagValue, _ key: any CodingKey) -> FlagValueDecoder {
        FlagValueDecoder(value: value, codingPath: codingPath + [key])
    }

    // MARK: Values

    /// Decodes a type, the few that Foundation's own decoding would read in a form that no one writes by hand included.
    func unbox<Value: Decodable>(_ type: Value.Type) throws -> Value {
        switch type {
        case is Date.Type: if let date = try date() as? Value { return date }
        case is URL.Type: if let url = try url() as? Value { return url }
        case is Data.Type: if let data = try data() as? Value { return data }
        case is Decimal.Type: if let number = try decimal() as? Value { return number }
        default: break
        }
        return try Value(from: self)
    }

    /// The value as a type of the language.
    func scalar<Value: FlagConvertible>(_ type: Value.Type) throws -> Value {
        guard let scalar = Value(flagValue: value) else { throw mismatch(found: type, "\(type)") }
        return scalar
    }

    /// The value as a whole number of some width.
    func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        guard let number = value.intValue else { throw mismatch(found: type, "\(type)") }
        guard let integer = Value(exactly: number) else { throw corrupted("\(number) does not fit \(type)") }
        return integer
    }

    /// The value as a number of single precision, rounded to it.
    func float() throws -> Float {
        let number = try scalar(Double.self)
        let rounded = Float(number)
        guard rounded.isFinite else { throw corrupted("\(number) does not fit Float") }
        return rounded
    }

    private func date() throws -> Date {
        if let seconds = value.doubleValue { return Date(timeIntervalSince1970: seconds) }
        guard let text = value.stringValue else { throw mismatch(found: Date.self, "Date") }
        for options: ISO8601DateFormatter.Options in [
            [.withInternetDateTime], [.withInternetDateTime, .withFractionalSeconds], [.withFullDate],
        ] {
            let formatter = ISO8601DateFormatter()
            formatter.formatOptions = options
            if let date = formatter.date(from: text) { return date }
        }
        throw corrupted("'\(text)' is no date of ISO 8601, such as 2024-05-31T12:00:00Z")
    }

    private func url() throws -> URL {
        let text = try scalar(String.self)
        guard let url = URL(string: text) else { throw corrupted("'\(text)' is no URL") }
        return url
    }

    private func data() throws -> Data {
        // Bytes as numbers are how other decoders take data that is no text.
        if case .array = value { return Data(try [UInt8](from: self)) }
        guard let data = Data(base64Encoded: try scalar(String.self)) else {
            throw corrupted("the text is no base 64")
        }
        return data
    }

    private func decimal() throws -> Decimal {
        if let number = value.intValue { return Decimal(number) }
        guard case .double(let number) = value, let decimal = Decimal(string: number.description) else {
            throw mismatch(found: Decimal.self, "Decimal")
        }
        return decimal
    }

    // MARK: Errors

    /// What to throw when the value is of another type.
    func mismatch(found type: Any.Type, _ expected: String) -> DecodingError {
        if value.isNull {
            return .valueNotFound(
                type, .init(codingPath: codingPath, debugDescription: "found null in place of \(expected)"))
        }
        return .typeMismatch(
            type,
            .init(
                codingPath: codingPath,
                debugDescription: "found \(value.kindWithArticle) in place of \(expected)"))
    }

    /// What to throw when the value is of the right type and still does not fit.
    func corrupted(_ description: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: description))
    }
}

extension FlagValueDecoder {
    /// What went wrong in decoding and where, for developers: `at colors[2].name: found null in place of String`.
    static func words(for error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            return place(context.codingPath) + context.debugDescription
        case .keyNotFound(let key, let context):
            return place(context.codingPath) + "there is no '\(key.stringValue)'"
        @unknown default:
            return "\(error)"
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        if path.isEmpty { return "" }
        let text = path.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
        return "at \(text.hasPrefix(".") ? String(text.dropFirst()) : text): "
    }
}
