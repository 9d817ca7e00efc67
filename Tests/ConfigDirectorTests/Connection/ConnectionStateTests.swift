import Testing

@testable import ConfigDirector

/// The account of a connection: what apps are told, in which order.
@Suite struct ConnectionStateTests {
    private let ada = ConfigDirectorContext(id: "ada")
    private let bob = ConfigDirectorContext(id: "bob")

    /// A call whose turn has come and that the client has begun.
    private func begin(
        _ state: inout ConnectionState, _ reason: ConnectReason, _ context: ConfigDirectorContext?,
        version: Int = 0
    ) -> Int {
        let call = state.call(reason)
        let pending = reason == .networkResume ? nil : ConnectionState.Attempt.Pending(context: context)
        guard case .connect(let attempt, _) = state.begin(call, pending, version: version) else {
            Issue.record("the call does not connect")
            return 0
        }
        _ = state.begun()
        return attempt.id
    }

    private func stories(_ news: ConnectionState.News) -> [String] { news.events.map(\.story) }

    @Test func aPayloadIsToldAsContextReadyAndConfigs() {
        var state = ConnectionState()
        _ = begin(&state, .initialization, ada)
        #expect(state.isInitializing)
        #expect(!state.isReady)
        #expect(state.context == nil)
        let news = state.received(["b", "a"], gone: [], isWhole: true)
        #expect(stories(news) == ["context: ada", "ready: initialization", "updated: a,b"])
        #expect(news.keys == nil)
        #expect(state.isReady)
        #expect(!state.isInitializing)
        #expect(state.context == ada)
    }

    @Test func aDeltaConcernsItsKeysAlone() {
        var state = ConnectionState()
        _ = begin(&state, .initialization, nil)
        _ = state.received(["a", "b"], gone: [], isWhole: true)
        let news = state.received(["b"], gone: [], isWhole: false)
        #expect(stories(news) == ["updated: b"])
        #expect(news.keys == ["b"])
    }

    @Test func removalIsToldAsAllThatAreLeft() {
        var state = ConnectionState()
        _ = begin(&state, .initialization, nil)
        _ = state.received(["a", "b"], gone: [], isWhole: true)
        let first = state.received([], gone: ["b"], isWhole: false)
        #expect(stories(first) == ["updated: a removed: b"])
        let second = state.received(["c"], gone: [], isWhole: true)
        #expect(stories(second) == ["updated: c removed: a"])
    }

    @Test func aTimeOutAppliesTheContextAndStaysUnready() {
        var state = ConnectionState()
        let id = begin(&state, .initialization, ada)
        let end = state.interrupted(id, isCancelled: false)
        #expect(stories(end) == ["context: ada"])
        #expect(state.isInitializing)
        #expect(!state.isReady)
        let news = state.received(["a"], gone: [], isWhole: true)
        #expect(stories(news) == ["ready: initialization", "updated: a"])
    }

    @Test func aTimeOutIsLoggedAndACancellationIsNot() {
        for isCancelled in [false, true] {
            var state = ConnectionState()
            let id = begin(&state, .initialization, ada)
            let news = state.interrupted(id, isCancelled: isCancelled)
            #expect((news.log == nil) == isCancelled)
        }
    }

    @Test func aRefusalKeepsTheFormerContextAndEndsTheWaiting() {
        var state = ConnectionState()
        _ = begin(&state, .initialization, ada)
        _ = state.received(["a"], gone: [], isWhole: true)
        _ = begin(&state, .contextUpdate, bob)
        let refusal = state.stopped(.connectionFailed(message: "no", statusCode: 403))
        #expect(stories(refusal).isEmpty)
        #expect(state.context == ada)
        #expect(!state.isReady)
        // The context that was given last is the one to go on with.
        _ = begin(&state, .networkResume, nil)
        let news = state.received(["a"], gone: [], isWhole: true)
        #expect(
            stories(news) == [
                "context: bob", "ready: network resume", "updated: a",
            ])
    }

    @Test func aRefusalAfterTheTimeOutEndsTheWaitingToo() {
        var state = ConnectionState()
        let id = begin(&state, .initialization, ada)
        _ = state.interrupted(id, isCancelled: false)
        _ = state.stopped(.connectionFailed(message: "no", statusCode: 401))
        #expect(!state.isInitializing)
        #expect(state.context == ada)
    }

    @Test func resumingDoesNotTellOfTheSameContextAgain() {
        var state = ConnectionState()
        _ = begin(&state, .initialization, ada)
        _ = state.received(["a"], gone: [], isWhole: true)
        state.pause()
        _ = state.paused(version: 1)
        #expect(!state.isReady)
        _ = begin(&state, .networkResume, nil)
        let news = state.received(["a"], gone: [], isWhole: true)
        #expect(stories(news) == ["ready: network resume", "updated: a"])
    }

    @Test func onlyInitializeSaysThatItInitializes() {
        var state = ConnectionState()
        _ = begin(&state, .contextUpdate, ada)
        #expect(!state.isInitializing)
        _ = begin(&state, .networkResume, nil)
        #expect(!state.isInitializing)
        _ = begin(&state, .initialization, ada)
        #expect(state.isInitializing)
        _ = state.received([], gone: [], isWhole: true)
        _ = begin(&state, .initialization, ada)
        #expect(!state.isInitializing)
    }

    @Test func aCallThatWaitsForItsTurnInitializesToo() {
        var state = ConnectionState()
        _ = begin(&state, .contextUpdate, ada)
        _ = state.call(.initialization)
        #expect(state.isInitializing)
    }

    @Test func aPauseThatComesBeforeACallsTurnWins() {
        var state = ConnectionState()
        let call = state.call(.contextUpdate)
        state.pause()
        guard case .passedOver(let context, let news) = state.begin(call, .init(context: bob), version: 0)
        else {
            Issue.record("the call connects in a pause that is newer")
            return
        }
        #expect(context == bob)
        #expect(news.events.map(\.story) == ["context: bob"])
        #expect(!state.isReady)
    }

    @Test func aPauseThatIsOverHoldsNoCallBack() {
        var state = ConnectionState()
        _ = begin(&state, .initialization, ada)
        let call = state.call(.contextUpdate)
        _ = state.paused(version: 1)
        state.resumed()
        guard case .connect = state.begin(call, .init(context: bob), version: 1) else {
            Issue.record("the call does not connect though the client is back")
            return
        }
        let news = state.begun()
        #expect(!news.pauses)
    }

    @Test func aPauseThatACallOvertookIsMadeAgain() {
        var state = ConnectionState()
        let call = state.call(.initialization)
        _ = state.begin(call, .init(context: ada), version: 0)
        state.pause()
        let news = state.begun()
        #expect(news.pauses)
    }

    @Test func aClosedClientIsNotReady() {
        var state = ConnectionState()
        _ = begin(&state, .initialization, ada)
        _ = state.received(["a"], gone: [], isWhole: true)
        _ = state.close()
        #expect(!state.isReady)
        #expect(state.context == ada)
    }

    @Test func nothingIsToldAfterClose() {
        var state = ConnectionState()
        _ = begin(&state, .initialization, ada)
        let closes = (state.close(), state.close())
        #expect(closes == (true, false))
        #expect(!state.isInitializing)
        let late = state.received(["a"], gone: [], isWhole: true)
        #expect(stories(late).isEmpty)
        _ = state.paused(version: 1)
        let call = state.call(.initialization)
        #expect(!state.isInitializing)
        guard case .closed = state.begin(call, nil, version: 1) else {
            Issue.record("a call connects a client that is closed")
            return
        }
    }
}
