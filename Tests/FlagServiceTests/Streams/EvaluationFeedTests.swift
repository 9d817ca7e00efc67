import FlagEvaluation
import FlagModel
import Testing

@testable import FlagService

@Suite struct EvaluationFeedTests {
    private static let pro: [String: FlagValue] = ["plan": "pro"]

    private func view(_ flags: [String: FlagValue], metadata: FlagValue = [:]) throws -> FlagView {
        FlagView(
            of: FlagSelection(of: try Sample.rules(flags, metadata: metadata), selector: .all),
            as: FlagView.Identity(selector: .all, keyID: nil), eventStreams: [])
    }

    private func feed(_ view: FlagView, _ attributes: [String: FlagValue] = pro) -> EvaluationFeed {
        EvaluationFeed(
            body: Array(FlagValue.object(["context": .object(attributes)]).jsonText.utf8),
            contextFingerprint: Fingerprint(of: .object(attributes)), view: view)
    }

    /// The one message that the bytes are.
    private func message(_ bytes: [UInt8]?) throws -> EvaluationsMessage {
        var parser = SSEParser()
        let outputs = parser.feed(try #require(bytes))
        try #require(outputs.count == 1)
        guard case .event(let event) = outputs[0] else { throw NotAnEvent() }
        return try #require(EvaluationsMessage(event))
    }

    private struct NotAnEvent: Error {}

    private func update(_ feed: inout EvaluationFeed, to present: FlagView, now: Int64 = 0) throws
        -> EvaluationsMessage
    {
        let change = ViewChange(from: feed.view.selection, to: present.selection)
        return try message(feed.update(to: present, change: change, now: now))
    }

    private func patch(
        _ message: EvaluationsMessage
    ) throws -> (etag: String?, keys: [String], removed: [String], metadata: [String: FlagValue]?) {
        guard case .patch(let etag, let changed, let removed, let metadata, _) = message else {
            throw NotAnEvent()
        }
        return (etag, changed.map(\.key), removed, metadata)
    }

    @Test func opensWithEverything() throws {
        var feed = feed(
            try view(["a": Sample.onForPlan("pro"), "b": Sample.constant(["x": 1], default: "x")]))
        guard case .put(let etag?, let evaluation) = try message(feed.opening(ifNoneMatch: nil, now: 0))
        else {
            throw NotAnEvent()
        }
        #expect(etag.hasPrefix("\""))
        #expect(evaluation.flags.map(\.value) == [true, 1])
    }

    @Test func skipsWhatTheClientHas() throws {
        let view = try view(["a": Sample.onForPlan("pro")])
        var first = feed(view)
        guard case .put(let etag?, _) = try message(first.opening(ifNoneMatch: nil, now: 0)) else {
            throw NotAnEvent()
        }
        var second = feed(view)
        #expect(try message(second.opening(ifNoneMatch: etag, now: 0)) == .current(etag: etag))
        var other = feed(view, ["plan": "free"])
        guard case .put = try message(other.opening(ifNoneMatch: etag, now: 0)) else { throw NotAnEvent() }
    }

    @Test func numbersItsChanges() throws {
        var feed = feed(try view(["a": Sample.constant(["x": 0], default: "x")]))
        _ = feed.opening(ifNoneMatch: nil, now: 0)
        for number in 1...3 {
            let next = try view(["a": Sample.constant(["x": .int(Int64(number))], default: "x")])
            guard case .patch(_, _, _, _, let told) = try update(&feed, to: next) else { throw NotAnEvent() }
            #expect(told == number)
        }
    }

    @Test func tellsOnlyWhatChangedForThisContext() throws {
        let before = try view([
            "same": Sample.constant(["x": 1], default: "x"), "mine": Sample.onForPlan("pro"),
            "others": Sample.onForPlan("free"), "gone": Sample.constant(["x": 1], default: "x"),
        ])
        let after = try view([
            "same": Sample.constant(["x": 1], default: "x"), "mine": Sample.onForPlan("team"),
            "others": Sample.onForPlan("basic"), "new": Sample.constant(["x": 1], default: "x"),
        ])
        var feed = feed(before)
        _ = feed.opening(ifNoneMatch: nil, now: 0)
        let patch = try patch(update(&feed, to: after))
        #expect(patch.keys == ["mine", "new"])
        #expect(patch.removed == ["gone"])
        #expect(patch.metadata == nil)
    }

    @Test func tellsTheNewETagAlsoWhenNothingChangedForThisContext() throws {
        var feed = feed(try view(["a": Sample.onForPlan("free")]))
        guard case .put(let former?, _) = try message(feed.opening(ifNoneMatch: nil, now: 0)) else {
            throw NotAnEvent()
        }
        let after = try view(["a": Sample.onForPlan("basic")])
        let patch = try patch(update(&feed, to: after))
        #expect(patch.keys.isEmpty)
        #expect(patch.etag != former)
        var fresh = self.feed(after)
        #expect(
            try message(fresh.opening(ifNoneMatch: patch.etag, now: 0))
                == .current(etag: try #require(patch.etag)))
    }

    @Test func tellsNewMetadata() throws {
        var feed = feed(try view([:], metadata: ["v": 1]))
        _ = feed.opening(ifNoneMatch: nil, now: 0)
        #expect(try patch(update(&feed, to: view([:], metadata: ["v": 2]))).metadata == ["v": 2])
    }

    @Test func tellsWhatTimeAloneChanges() throws {
        let view = try view(["timed": Sample.onFrom(100), "fixed": Sample.onForPlan("pro")])
        var feed = feed(view)
        guard case .put(let former?, _) = try message(feed.opening(ifNoneMatch: nil, now: 98)) else {
            throw NotAnEvent()
        }
        #expect(feed.tick(now: 99) == nil)
        let patch = try patch(message(feed.tick(now: 100)))
        #expect(patch.keys == ["timed"])
        #expect(patch.etag != former)
        #expect(feed.tick(now: 101) == nil)
    }

    @Test func tellsATimedFlagOnceWhenRulesAndTimeChangeTogether() throws {
        var feed = feed(try view(["timed": Sample.onFrom(100)]))
        _ = feed.opening(ifNoneMatch: nil, now: 50)
        let patch = try patch(update(&feed, to: view(["timed": Sample.onFrom(60)]), now: 61))
        #expect(patch.keys == ["timed"])
        #expect(feed.tick(now: 62) == nil)
    }

    /// What the client was sent counts, not what the former rule would give by now.
    @Test func tellsAFlagThatDependsOnTimeNoMore() throws {
        var feed = feed(try view(["f": Sample.onFrom(100)]))
        _ = feed.opening(ifNoneMatch: nil, now: 50)
        let always = Sample.onFrom(0).objectValue?.merging(["targeting": ["if": [true, "on", "off"]]]) { $1 }
        let after = try view(["f": .object(try #require(always))])
        #expect(after.timeDependentFlags.isEmpty)
        #expect(try patch(update(&feed, to: after, now: 101)).keys == ["f"])
        #expect(try patch(update(&feed, to: view(["f": Sample.onFrom(100)]), now: 102)).keys == [])
    }

    @Test func hasNoTicksWithoutTimedFlags() throws {
        var feed = feed(try view(["a": Sample.onForPlan("pro")]))
        _ = feed.opening(ifNoneMatch: nil, now: 0)
        #expect(feed.tick(now: 1_000_000) == nil)
    }
}
