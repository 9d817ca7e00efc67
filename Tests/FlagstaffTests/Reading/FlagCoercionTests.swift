import FlagModel
import Testing

@testable import Flagstaff

@Suite(.timeLimit(.minutes(1))) struct FlagCoercionTests {
    /// Text is read as a number, numbers are cut to whole ones, and flags of the kind "sealed" are not read at all.
    private static let rule = FlagCoercion { flag, value, target in
        if flag.metadata["kind"] == "sealed" { throw FlagCoercion.Mismatch("sealed") }
        switch (target, value) {
        case (.int, .string(let text)):
            guard let number = Int64(text) else { throw FlagCoercion.Mismatch("no number") }
            return .int(number)
        case (.int, .double(let number)): return .int(Int64(number))
        case (.bool, .string("yes")): return true
        case (.string, .int(let number)): return .string("\(number)")
        // Of another type than asked for.
        case (.double, .bool): return "one"
        default: return value
        }
    }

    private func fixture(_ flags: [FlagResolution]) async throws -> ClientFixture {
        let fixture = try ClientFixture { $0.coercion = Self.rule }
        async let outcome = fixture.client.start(context: FlagContext(key: "u"))
        let body = BulkEvaluation(flags: flags).json.jsonText
        await fixture.transport.exchanges[0].answer(200, ["Content-Type": "application/json"], body)
        #expect(await outcome == .fresh)
        return fixture
    }

    private static let flags = [
        FlagResolution(key: "text", value: "42", reason: .static),
        FlagResolution(key: "word", value: "many", reason: .static),
        FlagResolution(key: "pi", value: 3.9, reason: .static),
        FlagResolution(key: "yes", value: "yes", reason: .static),
        FlagResolution(key: "n", value: 7, reason: .static),
        FlagResolution(key: "on", value: true, reason: .static),
        FlagResolution(key: "sealed", value: 1, reason: .static, metadata: ["kind": "sealed"]),
    ]

    /// What reads give, from whatever they are made.
    private func read(_ flags: some FlagReader) -> [String] {
        [
            "\(flags.value(for: "text", default: 0))", "\(flags.value(for: "word", default: 0))",
            "\(flags.value(for: "pi", default: 0))", "\(flags.value(for: "pi", default: Int64(0)))",
            "\(flags.isEnabled("yes"))", "\(flags.isEnabled("word"))",
            flags.value(for: "n", default: ""), flags.value(for: "on", default: ""),
            "\(flags.value(for: "on", default: 0.5))", "\(flags.value(for: "n", default: 0.5))",
            "\(flags.value(for: "sealed", default: 9))",
            "\(flags.value(for: "text", default: FlagValue.null))",
        ]
    }

    private static let expected = [
        "42", "0", "3", "3", "true", "false", "7", "", "0.5", "7.0", "9", "\"42\"",
    ]

    @Test func readsFollowTheRuleWhereverTheyAreMade() async throws {
        let fixture = try await fixture(Self.flags)
        let client = fixture.client
        // The first read takes another way than those that follow, and so do those that somebody listens to.
        #expect(read(client) == Self.expected)
        #expect(read(client) == Self.expected)
        #expect(read(client.snapshot) == Self.expected)
        let evaluations = client.evaluations
        #expect(read(client) == Self.expected)
        withExtendedLifetime(evaluations) {}
        #expect(client.value(for: "text", default: 0) == 42)
        #expect(client.value(for: "n", default: "") == "7")
    }

    @Test func declaredKeysFollowItToo() async throws {
        let fixture = try await fixture(Self.flags)
        for _ in 0..<2 {
            #expect(fixture.client[FlagKey("text", default: 0)] == 42)
            #expect(fixture.client[FlagKey("yes", default: false)])
            #expect(fixture.client[FlagKey("n", default: "")] == "7")
        }
    }

    @Test func evaluationsSayWhyAValueDoesNotFit() async throws {
        let fixture = try await fixture(Self.flags)
        let evaluation = fixture.client.evaluation(of: "word", default: 0)
        #expect(evaluation.isDefault)
        #expect(evaluation.errorCode == .typeMismatch)
        #expect(evaluation.errorDetails == "no number")
        #expect(fixture.client.evaluation(of: "text", default: 0).value == 42)
        var evaluations = fixture.client.evaluations.makeAsyncIterator()
        _ = fixture.client.value(for: "sealed", default: 9)
        _ = fixture.client.value(for: "pi", default: 0)
        let sealed = await evaluations.next()
        #expect(sealed?.errorDetails == "sealed")
        #expect(sealed?.value == 9)
        // As it was read.
        #expect(await evaluations.next()?.value == 3)
    }

    @Test func readsAreCountedOnWhatTheyWereGiven() async throws {
        let fixture = try await fixture(Self.flags)
        for _ in 0..<3 {
            _ = fixture.client.value(for: "text", default: 0)
            _ = fixture.client.value(for: "word", default: 0)
        }
        let counts = fixture.client.core.reads.drain()
        #expect(counts.count == 2)
        for count in counts {
            #expect(count.count == 3)
            #expect(count.isDefault == (count.key == "word"))
            #expect(count.requestedType == (count.key == "word" ? "integer" : nil))
        }
    }
}
