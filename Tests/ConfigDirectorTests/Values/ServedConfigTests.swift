import FlagModel
import Testing

@testable import ConfigDirector

/// Which reads a config can be given to, and what its text is read as.
@Suite struct ServedConfigTests {
    /// Configs of each type, and what reads as each kind give: a value as text, or the reason.
    struct Row: Sendable {
        let value: FlagValue
        var type: FlagValue?
        let bool: String
        let string: String
        let number: String
        let document: String
    }

    private static let rows = [
        Row(
            value: true, bool: "true", string: "type-mismatch", number: "type-mismatch",
            document: "type-mismatch"),
        Row(
            value: "true", bool: "true", string: "true", number: "invalid-number", document: "type-mismatch"),
        Row(
            value: "7", type: "custom", bool: "invalid-boolean", string: "7", number: "7.0",
            document: "type-mismatch"),
        Row(
            value: 7, bool: "type-mismatch", string: "type-mismatch", number: "7.0", document: "type-mismatch"
        ),
        Row(
            value: 2.5, bool: "type-mismatch", string: "type-mismatch", number: "2.5",
            document: "type-mismatch"),
        Row(
            value: "7", type: "enum", bool: "type-mismatch", string: "7", number: "7.0",
            document: "type-mismatch"),
        Row(
            value: "7", type: "url", bool: "type-mismatch", string: "7", number: "type-mismatch",
            document: "type-mismatch"),
        Row(
            value: ["b": [1, 2.0, nil], "a": "x/y"], bool: "type-mismatch",
            string: #"{"a":"x/y","b":[1,2.0,null]}"#, number: "type-mismatch",
            document: #"{"a":"x/y","b":[1,2.0,null]}"#),
        Row(
            value: "", type: "url", bool: "value-missing", string: "value-missing", number: "value-missing",
            document: "value-missing"),
        // A type that is not known is that of its JSON.
        Row(
            value: "x", type: "colour", bool: "invalid-boolean", string: "x", number: "invalid-number",
            document: "type-mismatch"),
    ]

    private func story(_ read: () throws -> String) -> String {
        do {
            return try read()
        } catch let fallback as ServedConfig.Fallback {
            return fallback.reason.rawValue
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: rows) func typesAreReadAsTheTableSays(row: Row) {
        let config = ServedConfig(row.value, metadata: row.type.map { ["type": $0] } ?? [:])
        #expect(story { String(try config.value(as: Bool.self)) } == row.bool)
        #expect(story { try config.value(as: String.self) } == row.string)
        #expect(story { String(try config.value(as: Double.self)) } == row.number)
        #expect(story { try config.text(for: .document) } == row.document)
    }

    @Test(
        arguments: [
            ("true", true), ("TRUE", true), ("False", false), (" true", nil), ("1", nil), ("yes", nil),
        ] as [(String, Bool?)])
    func booleansAreTwoWordsInAnyCase(text: String, value: Bool?) {
        #expect(Bool(configValue: text) == value)
    }

    @Test(
        arguments: [
            ("42", 42), ("-7", -7), ("2.9", 2), ("-2.9", -2), ("1e3", 1000), ("1e400", nil), ("1_000", nil),
            (" 42", nil), ("9223372036854775808", nil), ("9223372036854775807", Int.max), ("nan", nil),
            ("inf", nil), ("0x10", 16), ("", nil), ("12abc", nil),
        ] as [(String, Int?)])
    func wholeNumbersAreCutOffAndNeverOverflow(text: String, value: Int?) {
        #expect(Int(configValue: text) == value)
    }

    @Test(
        arguments: [
            ("2.5", 2.5), ("1e3", 1000), ("-0.5", -0.5), ("1e400", nil), ("nan", nil), ("infinity", nil),
            (" 1", nil), ("1,5", nil),
        ] as [(String, Double?)])
    func numbersAreFinite(text: String, value: Double?) {
        #expect(Double(configValue: text) == value)
    }
}
