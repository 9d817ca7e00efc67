import Testing

@testable import HTTPServer

@Suite struct ConnectionStateTests {
    private func expire(_ state: inout ConnectionState, at now: Int64) -> ConnectionState.Expiry? {
        state.expire(now: now, requestLimit: 10, idleLimit: 100)
    }

    @Test func aNewConnectionWithoutARequestIsClosed() {
        var state = ConnectionState(socket: 3, isDraining: false, now: 0)
        #expect(expire(&state, at: 10) == nil)
        #expect(expire(&state, at: 11) == .close)
        #expect(expire(&state, at: 12) == nil)
    }

    @Test func theFirstRequestHasTimeFromTheOpeningOn() {
        var state = ConnectionState(socket: 3, isDraining: false, now: 0)
        state.requestLineReceived(now: 9)
        #expect(expire(&state, at: 11) == .answer)
        let isAccepted1 = state.beginAnswering()
        #expect(!isAccepted1)
    }

    @Test func aLaterRequestHasTimeFromItsFirstLineOn() {
        var state = ConnectionState(socket: 3, isDraining: false, now: 0)
        state.requestLineReceived(now: 1)
        let isAccepted2 = state.beginAnswering()
        #expect(isAccepted2)
        #expect(expire(&state, at: 1000) == nil)
        _ = state.requestCompleted(now: 1000)
        #expect(expire(&state, at: 1050) == nil)
        state.requestLineReceived(now: 1050)
        #expect(expire(&state, at: 1060) == nil)
        #expect(expire(&state, at: 1061) == .answer)
    }

    @Test func anIdleConnectionIsLeftToTheLibraryUntilItTrickles() {
        var state = ConnectionState(socket: 3, isDraining: false, now: 0)
        _ = state.beginAnswering()
        _ = state.requestCompleted(now: 0)
        #expect(expire(&state, at: 110) == nil)
        #expect(expire(&state, at: 111) == .close)
    }

    @Test func isBusyFromTheRequestLineToTheEndOfTheResponse() {
        var state = ConnectionState(socket: 3, isDraining: false, now: 0)
        #expect(!state.isBusy)
        state.requestLineReceived(now: 0)
        #expect(state.isBusy)
        let isAccepted3 = state.beginAnswering()
        #expect(isAccepted3)
        #expect(state.isBusy)
        _ = state.requestCompleted(now: 0)
        #expect(!state.isBusy)
    }

    @Test func losesItsSocketWhenClosed() {
        var state = ConnectionState(socket: 3, isDraining: false, now: 0)
        state.close()
        #expect(state.socket == -1)
        let isAccepted4 = state.beginAnswering()
        #expect(!isAccepted4)
        #expect(expire(&state, at: 1000) == nil)
    }
}
