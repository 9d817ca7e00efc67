import Flagstaff
import Testing

@testable import SplitThin

/// What listeners are told, and when.
@Suite struct ReadinessTests {
    private let user = FlagContext(key: "user")
    private let other = FlagContext(key: "other")

    private func entries(_ treatments: [String: String], version: Int64? = nil, sets: [String] = [])
        -> [String: Readiness.Entry]
    {
        treatments.mapValues {
            Readiness.Entry(
                treatment: Treatment(.string($0), variant: $0, metadata: [:], hasConfig: false),
                flagSets: sets,
                changeNumber: version)
        }
    }

    private func stories(_ news: [Readiness.News]) -> [String] {
        news.map { item in
            switch item {
            case .readyFromCache(let metadata):
                "fromCache \(metadata.isInitialCacheLoad) \(metadata.lastUpdateTimestamp ?? 0)"
            case .ready(let metadata):
                "ready \(metadata.isInitialCacheLoad) \(metadata.lastUpdateTimestamp ?? 0)"
            case .timedOut: "timedOut"
            case .update(let metadata):
                "update \(metadata.names.joined(separator: ",")) \(metadata.changeNumber ?? 0)"
            }
        }
    }

    @Test func aColdStartTellsOfTheCacheWithReadiness() {
        var readiness = Readiness(user)
        #expect(readiness.past.isEmpty)
        let news = readiness.synced(entries(["a": "on"]), of: user)
        #expect(stories(news) == ["fromCache true 0", "ready true 0"])
        #expect(stories(readiness.past) == ["fromCache true 0", "ready true 0"])
    }

    @Test func aWarmStartTellsOfTheCacheFirst() {
        var readiness = Readiness(user)
        let cached = readiness.cached(entries(["a": "on"]), of: user, timestamp: 7)
        #expect(stories(cached) == ["fromCache false 7"])
        #expect(stories(readiness.past) == ["fromCache false 7"])
        let again = readiness.cached(entries(["a": "on"]), of: user, timestamp: 8)
        #expect(again.isEmpty)
        // The sync that makes a client ready tells of no update.
        let news = readiness.synced(entries(["a": "off"]), of: user)
        #expect(stories(news) == ["ready false 7"])
    }

    @Test func updatesNameWhatIsAnother() {
        var readiness = Readiness(user)
        _ = readiness.synced(entries(["a": "on", "b": "on", "c": "on"], version: 1), of: user)
        let same = readiness.synced(entries(["a": "on", "b": "on", "c": "on"], version: 2), of: user)
        #expect(same.isEmpty)
        let news = readiness.synced(entries(["a": "off", "c": "on", "d": "on"], version: 3), of: user)
        #expect(stories(news) == ["update a,b,d 3"])
        let sets = readiness.synced(
            entries(["a": "off", "c": "on", "d": "on"], version: 3, sets: ["x"]), of: user)
        #expect(stories(sets) == ["update a,c,d 3"])
    }

    @Test func aTimeOutIsToldOnceAndOnlyBeforeReadiness() {
        var readiness = Readiness(user)
        let first = readiness.timedOut()
        let second = readiness.timedOut()
        #expect(stories(first) == ["timedOut"] && second.isEmpty)
        #expect(readiness.past.isEmpty)
        let news = readiness.synced([:], of: user)
        #expect(stories(news).last == "ready true 0")
        let late = readiness.timedOut()
        #expect(late.isEmpty)
    }

    @Test func valuesOfAFormerTargetAreDropped() {
        var readiness = Readiness(user)
        readiness.change(to: other)
        let late = readiness.synced(entries(["a": "on"]), of: user)
        #expect(late.isEmpty)
        let cached = readiness.cached(entries(["a": "on"]), of: user, timestamp: 7)
        #expect(cached.isEmpty)
        let news = readiness.synced(entries(["a": "on"]), of: other)
        #expect(stories(news) == ["fromCache true 0", "ready true 0"])
    }

    @Test func aSwitchAfterReadinessEndsInAnUpdate() {
        var readiness = Readiness(user)
        _ = readiness.synced(entries(["a": "on"]), of: user)
        readiness.change(to: other)
        let news = readiness.synced(entries(["a": "on"]), of: other)
        #expect(stories(news) == ["update a 0"])
    }

    @Test func nothingIsToldAfterTheEnd() {
        var readiness = Readiness(user)
        readiness.destroy()
        let news =
            readiness.synced(entries(["a": "on"]), of: user) + readiness.timedOut()
            + readiness.cached([:], of: user, timestamp: 1)
        #expect(news.isEmpty)
    }
}
