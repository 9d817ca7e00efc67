import FlagModel
import Testing

@testable import FlagEvaluation

/// Bucketing values with their encodings and hashes.
@Suite struct BucketHashTests {
    @Test func encodesDeterministically() throws {
        for line in try Fixture.lines("bucket-hashes.jsonl") {
            let value = try #require(line["value"])
            let encoded = try encoding(of: value)
            #expect(encoded.map(Self.hexadecimal).joined() == line["cbor"]?.stringValue, "\(value)")
            let hash = encoded.withUnsafeBytes { MurmurHash3.hash32($0) }
            #expect(Int64(hash) == line["hash"]?.intValue, "\(value)")
            #expect(Int64((UInt64(hash) * 100) >> 32) == line["bucket"]?.intValue, "\(value)")
        }
    }

    @Test func hashesTextAsItIsInVersion2() throws {
        var compared = 0
        for line in try Fixture.lines("bucket-hashes.jsonl") {
            guard let expected = line["v2"], var text = line["value"]?.stringValue else { continue }
            let hash = text.withUTF8 { MurmurHash3.hash32(UnsafeRawBufferPointer($0)) }
            #expect(Int64(hash) == expected["hash"]?.intValue, "\(text)")
            #expect(Int64((UInt64(hash) * 100) >> 32) == expected["bucket"]?.intValue, "\(text)")
            compared += 1
        }
        #expect(compared > 10)
    }

    @Test func keepsWideIntegersExact() throws {
        #expect(try encoding(of: 9_007_199_254_740_993) == [0x1B, 0x00, 0x20, 0, 0, 0, 0, 0, 0x01])
        #expect(try encoding(of: .int(.min)) == [0x3B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
    }

    @Test func encodesNumbersOfHalfPrecision() throws {
        #expect(try encoding(of: 5.960464477539063e-8) == [0xF9, 0x00, 0x01])
        #expect(try encoding(of: 0.00006103515625) == [0xF9, 0x04, 0x00])
        #expect(try encoding(of: .double(-0.5)) == [0xF9, 0xB8, 0x00])
        #expect(try encoding(of: .double(.infinity)) == [0xF9, 0x7C, 0x00])
        #expect(try encoding(of: .double(.nan)) == [0xF9, 0x7E, 0x00])
    }

    private func encoding(of value: FlagValue) throws -> [UInt8] {
        var memory = TermMemory()
        let term = memory.term(of: value)
        let arena = TermArena(memory)
        var evaluator = RuleEvaluator(
            context: .emptyObject, now: 0, flagKey: Term(""), scheme: .v3, stepsLeft: 10_000,
            memory: TermMemory())
        defer { evaluator.memory.deallocate() }
        var builder = TextBuilder()
        try withExtendedLifetime(arena) { try evaluator.encode(term, into: &builder, depth: 0) }
        return Array(builder.bytes)
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return byte < 16 ? "0" + digits : digits
    }
}
