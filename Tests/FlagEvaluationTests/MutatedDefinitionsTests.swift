import FlagModel
import Testing

@testable import FlagEvaluation

/// Definitions that are cut off or scrambled: an error or a result, never a crash.
@Suite struct MutatedDefinitionsTests {
    private static let definition = Array(
        """
        {"$schema": "x", "metadata": {"flagSetId": "s"}, "$evaluators": {"e": {"in": ["é", {"var": "name"}]}},
         "flags": {"a": {"state": "ENABLED", "variants": {"on": {"x": [1, 2.5, null]}, "off": {}},
           "defaultVariant": "off", "targeting": {"if": [{"$ref": "e"}, "on", {"fractional": [{"var": "id"},
           ["on", 25], ["off", 75]]}]}, "metadata": {"n": 1}},
           "b": {"state": "DISABLED", "variants": {"one": 1}, "targeting": {"reduce": [[1, "2"], {"+": [{"var":
           "current"}, {"var": "accumulator"}]}, 0]}},
           "c": {"state": "ENABLED", "variants": {"t": "\\ud83d\\ude00"}, "defaultVariant": null, "targeting":
           {"sem_ver": [{"substr": [{"var": "v"}, 0, -1]}, "~", "1.2"]}}}}
        """.utf8)

    private let context = EvaluationContext(
        attributes: ["name": "é😀", "id": 7, "v": "1.2.3x", "targetingKey": "u"], now: 1_700_000_000)

    private func evaluate(_ bytes: [UInt8]) {
        for scheme in FractionalScheme.allCases {
            guard let ruleset = try? Ruleset(parsing: bytes, options: .init(fractional: scheme)) else {
                continue
            }
            for flag in ruleset.flags {
                let outcome = flag.evaluate(context)
                _ = flag.encoded(outcome)
                _ = flag.resolution(for: outcome)
            }
            _ = ruleset.problems.map(\.description)
        }
    }

    @Test func survivesTextThatIsCutOff() {
        for end in Self.definition.indices { evaluate(Array(Self.definition[..<end])) }
    }

    @Test(arguments: 0..<8)
    func survivesScrambledBytes(seed: UInt64) {
        var random = LinearGenerator(seed: seed)
        let alphabet = Array("{}[]\",:0129.eE-+\\untrf \u{e9}".utf8)
        for _ in 0..<400 {
            var bytes = Self.definition
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let position = bytes.indices.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[position] = alphabet.randomElement(using: &random) ?? 0
                case 1: bytes.remove(at: position)
                default: bytes.insert(alphabet.randomElement(using: &random) ?? 0, at: position)
                }
            }
            evaluate(bytes)
        }
    }

    @Test(arguments: 0..<8)
    func survivesScrambledStructure(seed: UInt64) throws {
        var random = LinearGenerator(seed: seed)
        let definition = try JSONParser.parse(Self.definition)
        for _ in 0..<300 {
            var scrambler = Scrambler(random: random)
            evaluate(JSONWriter.bytes(of: scrambler.scramble(definition)))
            random = scrambler.random
        }
    }
}

/// Random numbers that are the same in each run.
private struct LinearGenerator: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) {
        state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493
    }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) ^ (state << 31)
    }
}

/// Puts values of the wrong kind into a definition, and operators where they do not belong.
private struct Scrambler {
    var random: LinearGenerator

    private static let values: [FlagValue] = [
        nil, true, 0, -1, 2.5, 1e300, "", "on", "😀", [], [1], [[]], [:], ["var": ""], ["var": []],
        ["and": []],
        ["*": []], ["missing_some": []], ["$ref": "e"], ["$ref": 1], ["nosuch": [1]], ["a": 1, "b": 2],
        ["fractional": []], ["fractional": [[]]], ["reduce": [[1, 2], ["var": ""], nil]],
        ["substr": ["😀", 1]],
        ["cat": [["substr": ["😀", 0, 1]], ["substr": ["😀", 1]]]], ["sem_ver": [1, "=", "1"]], ["/": [1, 0]],
        ["map": [["var": ""], ["var": ""]]], ["filter": [[1, 2], ["!": [["var": ""]]]]], ["log": [1]],
    ]

    private static let names = [
        "if", "or", "==", "<", "+", "%", "in", "cat", "substr", "merge", "map", "all", "none", "reduce",
        "var",
        "missing", "missing_some", "starts_with", "sem_ver", "fractional", "flags", "targeting", "variants",
        "state",
    ]

    mutating func scramble(_ value: FlagValue) -> FlagValue {
        if Int.random(in: 0..<25, using: &random) == 0 {
            return Self.values.randomElement(using: &random) ?? nil
        }
        switch value {
        case .array(let elements):
            var scrambled: [FlagValue] = []
            for element in elements { scrambled.append(scramble(element)) }
            return .array(scrambled)
        case .object(let members):
            var scrambled: [String: FlagValue] = [:]
            for name in members.keys.sorted() {
                let isRenamed = Int.random(in: 0..<40, using: &random) == 0
                let newName = isRenamed ? Self.names.randomElement(using: &random) ?? name : name
                scrambled[newName] = scramble(members[name] ?? nil)
            }
            return .object(scrambled)
        case .null, .bool, .int, .double, .string:
            return value
        }
    }
}
