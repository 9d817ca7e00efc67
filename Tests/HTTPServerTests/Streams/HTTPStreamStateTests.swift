import Testing

@testable import HTTPServer

@Suite struct HTTPStreamStateTests {
    private func read(_ state: inout HTTPStreamState, _ size: Int = 100) -> HTTPStreamState.ReaderAction {
        var buffer = [UInt8](repeating: 0, count: size)
        return buffer.withUnsafeMutableBytes { state.read(into: $0) }
    }

    private func isSuspended(_ action: HTTPStreamState.ReaderAction) -> Bool {
        if case .suspend = action { true } else { false }
    }

    private func attached(limit: Int = 100) -> HTTPStreamState {
        var state = HTTPStreamState(bufferLimit: .max)
        _ = state.attach(bufferLimit: limit)
        return state
    }

    @Test func aWriteWakesASuspendedConnectionOnce() {
        var state = attached()
        #expect(isSuspended(read(&state)))
        #expect(state.write([1]) == (true, .resume))
        #expect(state.write([2]) == (true, .nothing))
        #expect(read(&state) == .copied(2))
        #expect(isSuspended(read(&state)))
    }

    @Test func aWriteBeforeTheConnectionReadsWakesNothing() {
        var state = attached()
        #expect(state.write([1]) == (true, .nothing))
        #expect(read(&state) == .copied(1))
    }

    @Test func finishSendsWhatWaitsFirst() {
        var state = attached()
        _ = state.write([1, 2, 3])
        #expect(state.finish(.finished) == .nothing)
        #expect(state.write([4]) == (false, .nothing))
        #expect(read(&state, 2) == .copied(2))
        #expect(read(&state, 2) == .copied(1))
        #expect(read(&state) == .finish)
        #expect(state.detach(.clientGone) == .finished)
    }

    @Test func finishWakesASuspendedConnection() {
        var state = attached()
        _ = read(&state)
        #expect(state.finish(.finished) == .resume)
        #expect(state.finish(.finished) == .nothing)
        #expect(read(&state) == .finish)
    }

    @Test func finishBeforeTheConnectionIsKept() {
        var state = HTTPStreamState(bufferLimit: .max)
        _ = state.write([1])
        _ = state.finish(.finished)
        _ = state.attach(bufferLimit: 10)
        #expect(read(&state) == .copied(1))
        #expect(read(&state) == .finish)
    }

    @Test func aBacklogBeyondTheLimitCutsTheConnection() {
        var state = attached(limit: 10)
        #expect(state.write([UInt8](repeating: 0, count: 6)) == (true, .nothing))
        #expect(state.write([UInt8](repeating: 0, count: 4)) == (true, .nothing))
        #expect(state.write([0]) == (false, .disconnect(resuming: false)))
        #expect(!state.isOpen)
        #expect(state.bufferedBytes == 0)
        #expect(read(&state) == .abort)
        #expect(state.detach(.clientGone) == .slowReader)
    }

    @Test func oneLargeWriteIsNoBacklog() {
        var state = attached(limit: 10)
        #expect(state.write([UInt8](repeating: 0, count: 1000)) == (true, .nothing))
        #expect(state.write([0]) == (false, .disconnect(resuming: false)))
    }

    @Test func abortWakesASuspendedConnectionAndCutsARunningOne() {
        var suspended = attached()
        _ = read(&suspended)
        #expect(suspended.abort(.serverShutdown) == .disconnect(resuming: true))
        #expect(read(&suspended) == .abort)

        var running = attached()
        #expect(running.abort(.serverShutdown) == .disconnect(resuming: false))
        #expect(running.abort(.serverShutdown) == .nothing)
        #expect(running.detach(.clientGone) == .serverShutdown)
    }

    @Test func abortOverridesAFinishThatIsNotYetSent() {
        var state = attached()
        _ = state.write([1])
        _ = state.finish(.finished)
        #expect(state.abort(.serverShutdown) == .disconnect(resuming: false))
        #expect(read(&state) == .abort)
        #expect(state.detach(.clientGone) == .finished)
    }

    @Test func nothingSuspendsOnceItHasEnded() {
        var state = attached()
        _ = state.finish(.serverShutdown)
        #expect(read(&state) == .finish)
        _ = state.abort(.serverShutdown)
        #expect(read(&state) == .abort)
    }

    @Test func hasOneConnectionOnly() {
        var state = attached()
        let isSecondAccepted = state.attach(bufferLimit: 1)
        #expect(!isSecondAccepted)
        _ = state.detach(.clientGone)
        let isThirdAccepted = state.attach(bufferLimit: 1)
        #expect(!isThirdAccepted)
        #expect(state.write([1]) == (false, .nothing))
        #expect(state.finish(.finished) == .nothing)
        #expect(state.abort(.finished) == .nothing)
    }

    @Test func anEmptyWriteDoesNothing() {
        var state = attached()
        _ = read(&state)
        #expect(state.write([]) == (true, .nothing))
        #expect(isSuspended(read(&state)))
    }

    @Test func givesMemoryBackAfterItWasUsedOnly() {
        var state = attached(limit: .max)
        #expect(read(&state) == .suspend(releasingBuffer: true))
        _ = state.write([1])
        _ = read(&state)
        #expect(read(&state) == .suspend(releasingBuffer: false))
        _ = state.write([UInt8](repeating: 0, count: 6000))
        #expect(read(&state, 8000) == .copied(6000))
        #expect(read(&state) == .suspend(releasingBuffer: true))
    }
}
