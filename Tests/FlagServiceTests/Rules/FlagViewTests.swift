import FlagEvaluation
import FlagModel
import Testing

@testable import FlagService

@Suite struct FlagViewTests {
    private static let flags: [String: FlagValue] = [
        "a": Sample.constant(["on": true], default: "on"), "b": Sample.onForPlan("pro"),
        "c": Sample.constant(["x": 1], default: "x"), "d": Sample.constant(["x": 1.0], default: "x"),
    ]

    private func view(
        _ flags: [String: FlagValue] = flags, metadata: FlagValue = [:], selector: FlagSelector = .all,
        keyID: ClientKeys.ID? = nil, eventStreams: [EventStream] = []
    ) throws -> FlagView {
        FlagView(
            of: FlagSelection(of: try Sample.rules(flags, metadata: metadata), selector: selector),
            as: FlagView.Identity(selector: selector, keyID: keyID), eventStreams: eventStreams)
    }

    private func etag(_ view: FlagView, _ attributes: [String: FlagValue] = [:], now: Int64 = 0) -> String {
        view.etag(
            for: EvaluationContext(attributes: attributes, now: now),
            fingerprint: Fingerprint(of: .object(attributes)))
    }

    @Test func answersWithEveryFlagInOrder() throws {
        let body = try view().body(for: EvaluationContext(attributes: ["plan": "pro"], now: 0))
        let answer = try #require(BulkEvaluation(JSONParser.parse(body)))
        #expect(answer.flags.map(\.key) == ["a", "b", "c", "d"])
        #expect(answer.flags.map(\.value) == [true, true, 1, 1.0])
        #expect(answer.flags.map(\.reason) == [.static, .targetingMatch, .static, .static])
        #expect(answer.flags.map(\.variant) == ["on", "on", "x", "x"])
    }

    @Test func answersWithNoFlagsWhereThereAreNone() throws {
        let body = try view([:]).body(for: EvaluationContext(attributes: [:], now: 0))
        #expect(String(decoding: body, as: UTF8.self) == #"{"flags":[],"eventStreams":[],"metadata":{}}"#)
    }

    @Test func saysTheSameInAStreamsFirstMessage() throws {
        let view = try view(metadata: ["team": "shop"])
        let context = EvaluationContext(attributes: ["plan": "pro"], now: 0)
        let body = try JSONParser.parse(view.body(for: context))
        var put = try #require(JSONParser.parse(view.putData(for: context, etag: "\"e\"")).objectValue)
        #expect(put.removeValue(forKey: "etag") == "\"e\"")
        #expect(.object(put) == body)
    }

    @Test func keepsTheETagForEqualContextsAndRules() throws {
        #expect(try etag(view(), ["plan": "pro", "n": 1]) == etag(view(), ["n": 1, "plan": "pro"]))
    }

    @Test func changesTheETagWithAnyAttribute() throws {
        let view = try view()
        let contexts: [[String: FlagValue]] = [
            [:], ["plan": "pro"], ["plan": "free"], ["targetingKey": "pro"], ["n": 1], ["n": 1.0],
            ["n": true], ["n": "1"],
            ["n": .null], ["n": [1]], ["n": ["1": 1]],
        ]
        #expect(Set(contexts.map { etag(view, $0) }).count == contexts.count)
    }

    @Test func changesTheETagWithAnyFlagKeyFilterOrStream() throws {
        var changed = Self.flags
        changed["c"] = Sample.constant(["x": 2], default: "x")
        var removed = Self.flags
        removed["a"] = nil
        let keys = try ClientKeys(["one", "two"])
        let stream = EventStream(type: "sse", location: .url("https://example.com"))
        let views = [
            try view(), try view(changed), try view(removed), try view(metadata: ["team": "shop"]),
            try view(selector: FlagSelector(choice: .flagSet(nil))),
            try view(selector: FlagSelector(choice: .nothing)),
            try view(keyID: keys.id(for: "one")), try view(keyID: keys.id(for: "two")),
            try view(eventStreams: [stream]),
        ]
        let etags = views.map { etag($0) }
        // Selecting the flags without a set gives the very same answer as selecting all, where no flag has a set.
        #expect(etags[4] == etags[0])
        #expect(Set(etags).count == etags.count - 1)
    }

    @Test func changesTheETagWhenTimeChangesAResult() throws {
        let view = try view(["f": Sample.onFrom(100)])
        #expect(etag(view, now: 98) == etag(view, now: 99))
        #expect(etag(view, now: 99) != etag(view, now: 100))
    }

    @Test func selectsByFlagSet() throws {
        var shop = try #require(Sample.constant(["on": true], default: "on").objectValue)
        shop["metadata"] = ["flagSetId": "shop"]
        let flags = ["plain": Sample.constant(["on": true], default: "on"), "cart": FlagValue.object(shop)]
        #expect(try view(flags).selection.flags.map(\.key) == ["plain", "cart"])
        let shopView = try view(flags, metadata: ["v": 1], selector: FlagSelector(choice: .flagSet("shop")))
        #expect(shopView.selection.flags.map(\.key) == ["cart"])
        #expect(shopView.metadata == ["flagSetId": "shop"])
        #expect(
            try view(flags, selector: FlagSelector(choice: .flagSet(nil))).selection.flags.map(\.key) == [
                "plain"
            ])
        #expect(try view(flags, selector: FlagSelector(choice: .nothing)).selection.flags.isEmpty)
    }
}
