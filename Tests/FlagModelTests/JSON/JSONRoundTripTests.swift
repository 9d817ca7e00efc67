import FlagModel
import Foundation
import Testing

/// The writer and the parser against each other and against Foundation's, on random values.
@Suite struct JSONRoundTripTests {
    private static let optionSets: [JSONWriter.Options] = [[], .sortedKeys, .pretty, [.sortedKeys, .pretty]]

    @Test func whatIsWrittenReadsBackAsTheSame() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<3_000 {
            let value = FlagValue.random(using: &generator)
            for options in Self.optionSets {
                let bytes = JSONWriter.bytes(of: value, options: options)
                #expect(try JSONParser.parse(bytes) == value)
            }
            let text = value.jsonText
            #expect(try FlagValue(json: text).jsonText == text)
        }
    }

    @Test func foundationReadsWhatIsWritten() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<1_500 {
            let value = FlagValue.random(using: &generator)
            let data = Data(JSONWriter.bytes(of: value))
            let object = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
            #expect(Self.agrees(value, object), "\(value.jsonText)")
        }
    }

    @Test func readsWhatFoundationWrites() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<1_500 {
            let value = FlagValue.random(using: &generator)
            let object = Self.foundationObject(value)
            let data = try JSONSerialization.data(withJSONObject: object, options: .fragmentsAllowed)
            let read = try JSONParser.parse(Array(data))
            #expect(Self.agrees(read, object), "\(value.jsonText) became \(read.jsonText)")
        }
    }

    private static func foundationObject(_ value: FlagValue) -> Any {
        switch value {
        case .null: NSNull()
        case .bool(let value): NSNumber(value: value)
        case .int(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .string(let value): value
        case .array(let elements): elements.map(foundationObject)
        case .object(let members): members.mapValues(foundationObject)
        }
    }

    /// Whether both hold the same.
    ///
    /// Of a number only its value counts, as Foundation keeps `1` and `1.0` as one, and that to 13 digits, as
    /// Foundation does not always round to the nearest double.
    private static func agrees(_ value: FlagValue, _ object: Any) -> Bool {
        switch value {
        case .null: return object is NSNull
        case .bool(let value): return (object as? Bool) == value
        case .int(let value): return (object as? NSNumber)?.int64Value == value
        case .double(let value):
            guard let number = (object as? NSNumber)?.doubleValue else { return false }
            return abs(number - value) <= abs(value) * 1e-13 + .leastNormalMagnitude
        case .string(let value):
            return (object as? String).map { Array($0.utf8) == Array(value.utf8) } ?? false
        case .array(let elements):
            guard let objects = object as? [Any], objects.count == elements.count else { return false }
            return zip(elements, objects).allSatisfy { agrees($0, $1) }
        case .object(let members):
            guard let objects = object as? [String: Any], objects.count == members.count else { return false }
            return members.allSatisfy { name, member in objects[name].map { agrees(member, $0) } ?? false }
        }
    }
}
