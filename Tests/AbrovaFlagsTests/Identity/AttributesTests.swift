import FlagModel
import Foundation
import Testing

@testable import AbrovaFlags

@Suite struct AttributesTests {
    @Test func takesTextsNumbersBooleansNothingAndArraysOfThose() {
        let given: [String: Any?] = [
            "text": "pro", "empty": "", "int": 31, "small": Int8(-3), "big": UInt64.max, "double": 2.5,
            "float": Float(0.5), "true": true, "false": false, "nil": nil, "null": NSNull(),
            "texts": ["a", "b"], "mixed": [1, "a", nil, true, NSNull()] as [Any?], "none": [] as [String],
            "ints": [1, 2], "maybe": [1, nil] as [Int?],
            "nsint": NSNumber(value: 7), "nsdouble": NSNumber(value: 7.5), "nsbool": NSNumber(value: true),
            "nsone": NSNumber(value: 1),
        ]
        let (accepted, warnings) = Attributes.check(given)
        #expect(warnings.isEmpty)
        #expect(
            accepted == [
                "text": "pro", "empty": "", "int": 31, "small": -3, "big": .double(Double(UInt64.max)),
                "double": 2.5, "float": 0.5, "true": true, "false": false, "nil": nil, "null": nil,
                "texts": ["a", "b"], "mixed": [1, "a", nil, true, nil], "none": [],
                "ints": [1, 2], "maybe": [1, nil],
                "nsint": 7, "nsdouble": 7.5, "nsbool": true, "nsone": 1,
            ])
    }

    @Test func dropsAnythingElseWithAWarningThatNamesTheAttributeAndNotItsValue() {
        let long = String(repeating: "x", count: 1025)
        let given: [String: Any?] = [
            "long": long, "nan": Double.nan, "infinite": -Double.infinity, "object": ["secret": 1],
            "nested": [[1]], "date": Date(), "list-with-long": ["a", long], "list-with-nan": [1, Double.nan],
            "fine": String(repeating: "x", count: 1024),
        ]
        let (accepted, warnings) = Attributes.check(given)
        #expect(Array(accepted.keys) == ["fine"])
        #expect(warnings.count == 8)
        for name in given.keys where name != "fine" {
            #expect(warnings.filter { $0.contains("'\(name)'") }.count == 1, "\(name)")
        }
        #expect(!warnings.contains { $0.contains("xxx") || $0.contains("secret") })
    }

    @Test func takesAHundred() {
        var given: [String: Any?] = ["a-wrong-one": Date()]
        for number in 0..<102 { given["name-\(1000 + number)"] = number }
        let (accepted, warnings) = Attributes.check(given)
        #expect(accepted.count == 100)
        #expect(warnings.count == 2)
        #expect(warnings[1].contains("name-1100") && warnings[1].contains("name-1101"))
        #expect(accepted["name-1099"] == 99)
    }

    @Test func countsCharactersAsTheyAreSeen() {
        let family = String(repeating: "👩‍👩‍👧", count: 1024)
        #expect(Attributes.check(["family": family]).warnings.isEmpty)
        #expect(Attributes.check(["family": family + "x"]).warnings.count == 1)
    }
}
