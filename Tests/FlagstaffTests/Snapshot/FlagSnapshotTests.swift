import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite struct FlagSnapshotTests {
    private let time = Date(timeIntervalSince1970: 100)
    private let context = FlagContext(key: "u")

    private func snapshot(_ values: [String: FlagValue]) -> FlagSnapshot {
        FlagSnapshot.empty.replaced(by: Answers.evaluation(values), etag: "e1", context: context, time: time)
    }

    @Test func replacingKeepsNothingOfTheFormerSet() {
        let next = snapshot(["a": 1, "b": 1]).replaced(
            by: Answers.evaluation(["b": 2], metadata: ["m": 1]), etag: nil, context: FlagContext(key: "v"),
            time: time)
        #expect(next.keys == ["b"])
        #expect(next.etag == nil)
        #expect(next.metadata == ["m": 1])
        #expect(next.context.targetingKey == "v")
        #expect(next.version == 2)
        #expect(next.updated == time)
    }

    @Test func lastOfTwoFlagsWithOneKeyIsKept() {
        let flags = [
            FlagResolution(key: "a", value: 1, reason: .static),
            FlagResolution(key: "a", value: 2, reason: .static),
        ]
        let next = FlagSnapshot.empty.replaced(
            by: BulkEvaluation(flags: flags), etag: nil, context: context, time: time)
        #expect(next.value(for: "a", default: 0) == 2)
    }

    @Test func patchTouchesOnlyWhatItNames() {
        let before = snapshot(["a": 1, "b": 1, "c": 1])
        let after = before.patched(
            changed: Answers.resolutions(["a": 2, "d": 1]), removed: ["b", "unknown"], metadata: nil,
            etag: "e2",
            time: time)
        #expect(after.resolutions.compactMapValues(\.value) == ["a": 2, "c": 1, "d": 1])
        #expect(after.etag == "e2")
        #expect(after.changedKeys(since: before) == ["a", "b", "d"])
        #expect(before.resolutions.count == 3)
    }

    @Test func flagThatIsRemovedAndChangedIsThere() {
        let after = snapshot(["a": 1]).patched(
            changed: Answers.resolutions(["a": 2]), removed: ["a"], metadata: ["m": 2], etag: nil, time: time)
        #expect(after.value(for: "a", default: 0) == 2)
        #expect(after.metadata == ["m": 2])
    }

    @Test func onlyDifferencesCountAsChanges() {
        let before = snapshot(["a": 1, "b": "x"])
        #expect(before.changedKeys(since: before).isEmpty)
        #expect(snapshot(["a": 1, "b": "x"]).changedKeys(since: before).isEmpty)
        #expect(snapshot(["a": 1.0, "b": "x"]).changedKeys(since: before) == ["a"])
        #expect(FlagSnapshot.empty.changedKeys(since: before) == ["a", "b"])
    }

    @Test func staleValuesAreMarkedAndLoseTheirETag() {
        let stale = snapshot(["a": 1]).markedStale()
        #expect(stale.isStale)
        #expect(stale.etag == nil)
        #expect(stale.isReady)
        #expect(stale.context == context)
        #expect(stale.value(for: "a", default: 0) == 1)
    }

    @Test func droppedValuesLeaveNothingReadable() {
        let dropped = snapshot(["a": 1]).dropped(for: FlagContext(key: "v"))
        #expect(!dropped.isReady)
        #expect(dropped.value(for: "a", default: 0) == 0)
        #expect(dropped.context.targetingKey == "v")
    }

    @Test func descriptionHoldsNothingPersonal() {
        #expect(snapshot(["secret": 1]).description == "FlagSnapshot(version 1, 1 flags)")
    }
}
