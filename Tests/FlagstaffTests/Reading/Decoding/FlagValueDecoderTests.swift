import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite struct FlagValueDecoderTests {
    private struct Theme: Decodable, Equatable {
        struct Color: Decodable, Equatable {
            var name: String
            var alpha: Double?
        }

        enum Mode: String, Decodable { case light, dark }

        var mode: Mode
        var colors: [Color]
        var limits: [String: Int]
        var isNew: Bool
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ value: FlagValue) throws -> Value {
        try FlagValueDecoder.decode(type, from: value)
    }

    /// What is said when decoding fails.
    private func failure<Value: Decodable>(_ type: Value.Type, _ value: FlagValue) -> String? {
        do {
            _ = try FlagValueDecoder.decode(type, from: value)
            return nil
        } catch {
            return FlagValueDecoder.words(for: error)
        }
    }

    private let theme: FlagValue = [
        "mode": "dark",
        "colors": [["name": "red", "alpha": 1], ["name": "blue", "alpha": nil], ["name": "x"]],
        "limits": ["a": 1, "b": 2.0], "isNew": true, "more": [1, 2],
    ]

    @Test func decodesStructuresAndPassesOverWhatTheyDoNotName() throws {
        #expect(
            try decode(Theme.self, theme)
                == Theme(
                    mode: .dark,
                    colors: [.init(name: "red", alpha: 1), .init(name: "blue"), .init(name: "x")],
                    limits: ["a": 1, "b": 2], isNew: true))
    }

    @Test func decodesLikeFoundationsDecoder() throws {
        let data = Data(theme.jsonText.utf8)
        #expect(try decode(Theme.self, theme) == JSONDecoder().decode(Theme.self, from: data))
    }

    @Test func integersStayExactAndInTheirRange() throws {
        #expect(try decode(Int64.self, .int(.max)) == .max)
        #expect(try decode([UInt64].self, [.int(.max), 0]) == [UInt64(Int64.max), 0])
        #expect(try decode(UInt8.self, 255) == 255)
        #expect(try decode(Int.self, 3.0) == 3)
        #expect(failure(UInt8.self, 256) == "256 does not fit UInt8")
        #expect(failure(UInt.self, -1) == "-1 does not fit UInt")
        #expect(failure(Int.self, 2.5) == "found a number in place of Int")
        #expect(failure(Int.self, "3") == "found a string in place of Int")
        #expect(failure(Double.self, .int(9_007_199_254_740_993)) == "found a number in place of Double")
        #expect(failure(Bool.self, 1) == "found a number in place of Bool")
        #expect(try decode(Float.self, 0.5) == 0.5)
        #expect(failure(Float.self, .double(1e300)) == "1e+300 does not fit Float")
    }

    @Test func errorsSayWhere() {
        #expect(failure(Theme.self, ["mode": "dark"]) == "there is no 'colors'")
        #expect(
            failure(Theme.self, ["mode": "dark", "colors": [["name": "a"], ["name": 5]]])
                == "at colors[1].name: found a number in place of String")
        #expect(
            failure(Theme.self, ["mode": "dark", "colors": [["alpha": 5]]])
                == "at colors[0]: there is no 'name'")
        #expect(
            failure(Theme.self, ["mode": "dark", "colors": nil]) == "at colors: found null in place of array")
        #expect(failure([[Int]].self, [[1], [2, true]]) == "at [1][1]: found a boolean in place of Int")
        #expect(failure(Theme.self, []) == "found an array in place of object")
        #expect(failure(Theme.self, ["mode": "blue"])?.hasPrefix("at mode: ") == true)
    }

    @Test func optionalsTakeNullAndWhatIsAbsent() throws {
        #expect(try decode(Int?.self, nil) == nil)
        #expect(try decode(Int?.self, 3) == 3)
        #expect(try decode([Int?].self, [1, nil, 3]) == [1, nil, 3])
        #expect(try decode(Theme.Color.self, ["name": "x", "alpha": nil]).alpha == nil)
    }

    @Test func datesAddressesAndDataAreReadAsTheyAreWritten() throws {
        #expect(try decode(Date.self, 86_400) == Date(timeIntervalSince1970: 86_400))
        #expect(try decode(Date.self, 0.5) == Date(timeIntervalSince1970: 0.5))
        #expect(try decode(Date.self, "1970-01-02T00:00:00Z") == Date(timeIntervalSince1970: 86_400))
        #expect(try decode(Date.self, "1970-01-01T00:00:00.500Z") == Date(timeIntervalSince1970: 0.5))
        #expect(try decode(Date.self, "1970-01-02") == Date(timeIntervalSince1970: 86_400))
        #expect(failure(Date.self, "tomorrow")?.hasPrefix("'tomorrow' is no date") == true)
        #expect(try decode(URL.self, "https://example.com/a?b=c").host == "example.com")
        #expect(failure(URL.self, "")?.isEmpty == false)
        #expect(try decode(Data.self, "aGVsbG8=") == Data("hello".utf8))
        #expect(try decode(Data.self, [1, 2]) == Data([1, 2]))
        #expect(failure(Data.self, "%") == "the text is no base 64")
        #expect(try decode(Decimal.self, 0.1).description == "0.1")
        #expect(try decode(Decimal.self, .int(.max)).description == "9223372036854775807")
    }

    @Test func containersCanBeReadByHand() throws {
        struct ByHand: Decodable {
            var first: Int
            var rest: [String]
            var nested: Int
            var isAtEnd: Bool
            var names: [String]

            enum Key: String, CodingKey, CaseIterable { case list, object, none }
            enum Inner: String, CodingKey { case x }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                names = container.allKeys.map(\.stringValue)
                #expect(!container.contains(.none))
                var list = try container.nestedUnkeyedContainer(forKey: .list)
                #expect(list.count == 4)
                #expect(try !list.decodeNil())
                // What does not fit stays to be read in another way.
                #expect(throws: DecodingError.self) { _ = try list.decode(String.self) }
                first = try list.decode(Int.self)
                #expect(try list.decodeNil())
                rest = [try list.decode(String.self), try list.decode(String.self)]
                isAtEnd = list.isAtEnd
                #expect(throws: DecodingError.self) { _ = try list.decode(Int.self) }
                nested = try container.nestedContainer(keyedBy: Inner.self, forKey: .object).decode(
                    Int.self, forKey: .x)
            }
        }
        let value = try decode(ByHand.self, ["list": [1, nil, "a", "b"], "object": ["x": 5], "other": 1])
        #expect(value.first == 1)
        #expect(value.rest == ["a", "b"])
        #expect(value.nested == 5)
        #expect(value.isAtEnd)
        #expect(value.names == ["list", "object"])
    }

    @Test func classesDecodeWithTheirSuperclass() throws {
        class Base: Decodable { var a: Int }
        final class Derived: Base {
            var b: Int
            enum Key: String, CodingKey { case b, base }

            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                b = try container.decode(Int.self, forKey: .b)
                try super.init(from: container.superDecoder(forKey: .base))
            }
        }
        let value = try decode(Derived.self, ["b": 2, "base": ["a": 1]])
        #expect(value.a == 1)
        #expect(value.b == 2)
    }

    @Test func readsGiveTheDefaultAndSayWhatDidNotFit() {
        let reader = FlagSnapshot.empty.replaced(
            by: BulkEvaluation(flags: [
                FlagResolution(
                    key: "theme", value: ["mode": "dark", "colors": 5], variant: "b", reason: .static),
                FlagResolution(key: "numbers", value: [1, 2], variant: "b", reason: .static),
            ]), etag: nil, context: FlagContext(key: "u"), time: Date(timeIntervalSince1970: 0))
        #expect(reader.value(for: "numbers", as: [Int].self, default: []) == [1, 2])
        #expect(reader.evaluation(of: "numbers", as: [Int].self, default: []).variant == "b")
        let evaluation = reader.evaluation(of: "theme", as: [String: Int].self, default: ["x": 1])
        #expect(evaluation.value == ["x": 1])
        #expect(evaluation.isDefault)
        #expect(evaluation.errorCode == .typeMismatch)
        #expect(
            evaluation.errorDetails?.contains(
                "flag 'theme' serves an object that is no Dictionary<String, Int>") == true)
        #expect(reader.evaluation(of: "none", as: [Int].self, default: []).errorCode == .flagNotFound)
    }
}
