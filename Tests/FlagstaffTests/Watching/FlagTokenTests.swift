import Testing

@testable import Flagstaff

@Suite struct FlagTokenTests {
    @Test func cancelsOnceWhenCancelledAndLetGoOf() {
        let cancelled = Recorder<Int>()
        do {
            let token = FlagToken { cancelled.record(1) }
            #expect(cancelled.elements.isEmpty)
            token.cancel()
            token.cancel()
        }
        #expect(cancelled.elements == [1])
        _ = FlagToken { cancelled.record(2) }
        #expect(cancelled.elements == [1, 2])
    }

    @Test func collectionsKeepTokens() {
        let cancelled = Recorder<String>()
        var list: [FlagToken] = []
        var set: Set<FlagToken> = []
        FlagToken { cancelled.record("list") }.store(in: &list)
        FlagToken { cancelled.record("set") }.store(in: &set)
        FlagToken { cancelled.record("set") }.store(in: &set)
        #expect(set.count == 2)
        #expect(cancelled.elements.isEmpty)
        list = []
        #expect(cancelled.elements == ["list"])
        set = []
        #expect(cancelled.elements == ["list", "set", "set"])
    }

    @Test func mayCancelItselfFromWithin() {
        final class Owner: Sendable {
            let token: FlagToken
            init(_ cancelled: Recorder<Int>) { token = FlagToken { cancelled.record(1) } }
        }
        let cancelled = Recorder<Int>()
        let owner = Owner(cancelled)
        let outer = FlagToken { owner.token.cancel() }
        outer.cancel()
        #expect(cancelled.elements == [1])
    }
}
