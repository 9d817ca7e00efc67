import Dispatch
import FlagModel
import Foundation
import Testing

@testable import Flagstaff

/// Putting off what a client does about an event.
@Suite(.timeLimit(.minutes(1))) struct ClientCoreHandoverTests {
    private let fixture: ClientFixture
    private var core: ClientCore { fixture.client.core }
    private var requestCount: Int { fixture.transport.exchanges.elements.count }

    init() async throws {
        fixture = try ClientFixture()
        _ = await fixture.start(["a": 1])
    }

    @Test func whatIsDeferredIsDoneAtTheEnd() {
        core.deferEffects()
        // Leads to a request.
        core.receive(.foreground)
        #expect(requestCount == 1)
        core.performDeferredEffects()
        #expect(requestCount == 2)
    }

    @Test func nothingIsDoneThatIsDeferredSinceAThreadWasPerforming() async {
        let entered = Recorder<Bool>()
        let left = Recorder<Bool>()
        let gate = DispatchSemaphore(value: 0)
        let token = fixture.client.onEvent(on: .immediate) { event in
            guard event.kind == .changed else { return }
            entered.record(true)
            gate.wait()
        }
        Thread { [core] in
            core.changeOverrides { $0["a"] = 2 }
            left.record(true)
        }.start()
        _ = await entered[0]
        core.deferEffects()
        gate.signal()
        _ = await left[0]
        // The thread that was at it is gone; what comes now waits all the same.
        core.receive(.foreground)
        #expect(requestCount == 1)
        core.performDeferredEffects()
        #expect(requestCount == 2)
        withExtendedLifetime(token) {}
    }

    @Test func theLastOfSeveralWhoDeferPerforms() {
        core.deferEffects()
        core.deferEffects()
        core.receive(.foreground)
        core.performDeferredEffects()
        #expect(requestCount == 1)
        core.performDeferredEffects()
        #expect(requestCount == 2)
    }
}
