import FlagModel
import Foundation
import Testing

@testable import Flagstaff

/// The table against the plainest thing that does the same: a dictionary, and a list of what was read.
@Suite struct ReadTableModelTests {
    /// Keys of all lengths; some are never served, and the last differ only in their Unicode form.
    private static let keys = [
        "", "a", "on", "seven77", "eight888", "fifteen-bytes-1", "sixteen-bytes-12", "seventeen-bytes-1",
        "a-key-of-thirty-two-bytes-000000", String(repeating: "long", count: 300), "ключ", "🏳️‍🌈", "caf\u{e9}",
        "cafe\u{301}",
    ]

    private static let values: [FlagValue?] = [
        true, false, 0, 1, 7, -3, .int(.max), 2.0, 2.5, "", "dark", "a text of more than fifteen bytes",
        [1, 2],
        ["name": "x"], .null, nil,
    ]

    private struct Model {
        var flags: [FlagResolution] = []
        var context = FlagContext()
        var isReady = false
        var counts: [String: UInt64] = [:]

        /// The value of a flag, and counts the read as what an evaluation by the book says.
        mutating func read<Value: FlagConvertible>(_ key: String, _ kind: ReadKind, _ defaultValue: Value)
            -> Value
        {
            let flag = flags.last { $0.key.utf8.elementsEqual(key.utf8) }
            let value = flag?.errorCode == nil ? flag?.value : nil
            let converted = value.flatMap(Value.init(flagValue:))
            let word: String
            if let flag, let code = flag.errorCode {
                word = "\(flag.variant ?? "-") ERROR \(code)"
            } else if let flag, value == nil || converted != nil {
                word = "\(flag.variant ?? "-") \(flag.reason)"
            } else if flag != nil {
                word = "- ERROR TYPE_MISMATCH \(kind == .value ? "custom" : kind.requestedType)"
            } else {
                word = "- ERROR \(isReady ? "FLAG_NOT_FOUND" : "PROVIDER_NOT_READY")"
            }
            let place = "\(Array(key.utf8)) \(context.targetingKey ?? "") \(word)"
            counts[place, default: 0] += 1
            return converted ?? defaultValue
        }
    }

    private static func place(_ read: CountedRead) -> String {
        var words = [read.variant ?? "-", read.reason.rawValue]
        if let code = read.errorCode { words.append(code.rawValue) }
        if let type = read.requestedType { words.append(type) }
        return "\(Array(read.key.utf8)) \(read.context.targetingKey ?? "") \(words.joined(separator: " "))"
    }

    private enum Theme: String, FlagConvertible { case dark, light }

    @Test(arguments: 0..<12)
    func doesWhatADictionaryDoes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let table = ReadTable(stripeCount: 2)
        var model = Model()
        var snapshot = FlagSnapshot.empty
        var drained: [String: UInt64] = [:]
        for _ in 0..<1500 {
            let key = Self.keys[Int.random(in: 0..<Self.keys.count, using: &random)]
            switch Int.random(in: 0..<40, using: &random) {
            case 0:
                model.flags = Self.flags(using: &random)
                model.isReady = true
                model.context = FlagContext(key: "user-\(Int.random(in: 0..<3, using: &random))")
                snapshot = snapshot.replaced(
                    by: BulkEvaluation(flags: model.flags), etag: nil, context: model.context, time: Date())
                table.store(snapshot)
            case 1 where model.isReady:
                let changed = Self.flags(using: &random).prefix(3)
                let gone = model.flags.isEmpty ? [] : [model.flags[0].key]
                model.flags.removeAll { flag in
                    flag.key == gone.first || changed.contains { $0.key == flag.key }
                }
                model.flags += changed
                snapshot = snapshot.patched(
                    changed: Array(changed), removed: gone, metadata: nil, etag: nil, time: Date())
                table.store(snapshot)
            case 2:
                for read in table.drain() { drained[Self.place(read), default: 0] += read.count }
            case 3: #expect(table.load().version == snapshot.version)
            case 4..<10: #expect(table.bool(key, default: true) == model.read(key, .bool, true))
            case 10..<16: #expect(table.int(key, default: 5) == model.read(key, .int, 5))
            case 16..<22: #expect(table.double(key, default: 0.5) == model.read(key, .double, 0.5))
            case 22..<28: #expect(table.string(key, default: "?") == model.read(key, .string, "?"))
            case 28..<32:
                #expect(table.value(key, default: Theme.light) == model.read(key, .value, Theme.light))
            case 32..<35:
                let value = table.value(key, default: FlagValue.string("default"))
                #expect(value == model.read(key, .value, FlagValue.string("default")))
            case 35..<38:
                #expect(table.evaluation(key, default: 9).value == model.read(key, .int, 9))
            default:
                let numbers = table.evaluation(key, as: [Int].self, default: []).value
                #expect(numbers == model.read(key, .value, Numbers(list: [])).list)
            }
        }
        for read in table.drain() { drained[Self.place(read), default: 0] += read.count }
        #expect(drained == model.counts)
    }

    private static func flags(using random: inout SeededGenerator) -> [FlagResolution] {
        keys.dropLast().shuffled(using: &random).prefix(Int.random(in: 0...keys.count, using: &random)).map {
            key in
            let value = values[Int.random(in: 0..<values.count, using: &random)]
            if Int.random(in: 0..<12, using: &random) == 0 {
                return FlagResolution(key: key, value: value, reason: .error, errorCode: .parseError)
            }
            return FlagResolution(
                key: key, value: value, variant: "v\(Int.random(in: 0..<3, using: &random))",
                reason: Bool.random(using: &random) ? .static : .split)
        }
    }

    /// What `[Int]` is decoded from, as a type that converts itself.
    private struct Numbers: FlagConvertible {
        var list: [Int]

        init(list: [Int]) { self.list = list }

        init?(flagValue: FlagValue) {
            guard let elements = flagValue.arrayValue else { return nil }
            list = elements.compactMap(Int.init(flagValue:))
            if list.count != elements.count { return nil }
        }
    }
}
