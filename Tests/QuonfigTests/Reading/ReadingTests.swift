import FlagModel
import Flagstaff
import FlagstaffTesting
import Foundation
import Testing

@testable import Quonfig

@Suite(.timeLimit(.minutes(1))) struct ReadingTests {
    private static let values: [String: FlagValue] = [
        "on": true, "off": false, "text": "blue", "word": "true", "whole": 3, "whole-double": 3.0,
        "ratio": 0.5,
        "huge": 1e300, "large": .int(Int64.max), "object": ["columns": 3, "names": ["a"], "none": nil],
        "list": ["a", "b"],
        "mixed": ["a", 1], "digits": "42",
    ]

    @Test func nothingIsParsed() async {
        let quonfig = await Device(Self.values).ready()
        for counts in [true, false] {
            #expect(quonfig.isEnabled("on", logExposure: counts))
            for key in ["off", "word", "whole", "nowhere"] {
                #expect(!quonfig.isEnabled(key, logExposure: counts))
            }
            #expect(quonfig.string("text", default: "-", logExposure: counts) == "blue")
            #expect(quonfig.string("whole", default: "-", logExposure: counts) == "-")
            #expect(quonfig.int("whole", default: 0, logExposure: counts) == 3)
            #expect(quonfig.int("whole-double", default: 0, logExposure: counts) == 3)
            for key in ["ratio", "huge", "digits", "on"] {
                #expect(quonfig.int(key, default: 7, logExposure: counts) == 7)
            }
            #expect(quonfig.double("ratio", default: 0, logExposure: counts) == 0.5)
            #expect(quonfig.double("whole", default: 0, logExposure: counts) == 3)
            #expect(quonfig.double("large", default: 0, logExposure: counts) == Double(Int64.max))
            #expect(quonfig.double("digits", default: 7, logExposure: counts) == 7)
            let object = quonfig.json("object", logExposure: counts)
            #expect(object?["columns"] as? Int == 3)
            #expect(object?["names"] as? [String] == ["a"])
            #expect(object?["none"] is NSNull)
            for key in ["list", "text", "nowhere"] { #expect(quonfig.json(key, logExposure: counts) == nil) }
        }
        await quonfig.shutdown()
    }

    @Test func beforeTheFirstValuesDefaultsAreRead() {
        let quonfig = Device(Self.values).launch()
        #expect(!quonfig.isEnabled("on"))
        #expect(quonfig.string("text", default: "-") == "-")
        #expect(quonfig.json("object") == nil)
        #expect(quonfig.details("on") == EvaluationDetails(value: nil, reason: .error, variant: "default"))
        #expect(quonfig.shouldLog(.trace, loggerKey: "text"))
    }

    @Test func detailsTellValueReasonAndVariant() async {
        let device = Device()
        @Sendable func flag(
            _ key: String, _ value: FlagValue?, _ reason: Flagstaff.FlagReason,
            metadata: [String: FlagValue] = [:]
        ) -> FlagResolution {
            FlagResolution(key: key, value: value, variant: "v", reason: reason, metadata: metadata)
        }
        device.service.evaluate { _ in
            [
                flag("static", true, .static), flag("rule", 1, .targetingMatch, metadata: ["ruleIndex": 2]),
                flag("named", "a", .targetingMatch),
                flag(
                    "split", 2.5, .split,
                    metadata: ["weightedValueIndex": 1, "configId": "c", "configType": "flag"]),
                flag("default", ["a", "b"], .default), flag("mixed", ["a", 1], .static),
                flag("disabled", nil, .disabled),
                FlagResolution(key: "broken", reason: .error, errorCode: .general),
            ]
        }
        let quonfig = await device.ready()
        #expect(
            quonfig.details("static")
                == EvaluationDetails(value: .bool(true), reason: .static, variant: "static"))
        #expect(
            quonfig.details("rule")
                == EvaluationDetails(
                    value: .int(1), reason: .targetingMatch, variant: "targeting:2", ruleIndex: 2))
        #expect(quonfig.details("named").variant == "targeting:v")
        #expect(
            quonfig.details("split")
                == EvaluationDetails(
                    value: .double(2.5), reason: .split, variant: "split:1", weightedValueIndex: 1,
                    configId: "c",
                    configType: "flag"))
        #expect(
            quonfig.details("default")
                == EvaluationDetails(value: .stringList(["a", "b"]), reason: .default, variant: "default"))
        #expect(quonfig.details("mixed").value == .json(["a", 1]))
        #expect(
            quonfig.details("disabled") == EvaluationDetails(value: nil, reason: .default, variant: "default")
        )
        for key in ["broken", "nowhere"] {
            #expect(quonfig.details(key) == EvaluationDetails(value: nil, reason: .error, variant: "default"))
        }
    }

    @Test func exposuresAreCountedAndProbesAreNot() async throws {
        let device = Device(Self.values)
        let quonfig = await device.ready()
        for _ in 0..<3 { _ = quonfig.isEnabled("on") }
        _ = quonfig.isEnabled("on", logExposure: false)
        _ = quonfig.string("text", default: "", logExposure: false)
        _ = quonfig.int("digits", default: 1)
        _ = quonfig.json("object")
        _ = quonfig.json("text")
        _ = quonfig.json("object", logExposure: false)
        _ = quonfig.details("on")
        _ = quonfig.details("whole", logExposure: true)
        _ = quonfig.shouldLog(.debug, loggerKey: "text")
        await quonfig.shutdown()
        let reads = device.service.telemetry.flatMap(\.reportedReads)
        #expect(
            reads.map { "\($0.key) \($0.count)\($0.isDefault ? " default" : "")" }.sorted() == [
                "digits 1 default", "object 1", "on 3", "text 1 default", "whole 1",
            ])
        #expect(!quonfig.isEnabled("off"))
        #expect(quonfig.isEnabled("on"))
    }
}
