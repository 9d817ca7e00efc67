import FaultProxy
import Testing

/// What becomes of bytes, without sockets.
@Suite struct FaultPlanTests {
    private static let request = "POST /flags?x=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody"
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
    private static let content = "0123456789"
    private static let answer = head + content
    private static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// A plan in which one exchange has begun.
    private func plan(_ faults: Fault...) -> FaultPlan {
        var rule = FaultRule()
        rule.faults = faults
        var script = FaultScript([rule])
        var plan = FaultPlan()
        let steps = plan.receivedFromClient(Array(Self.request.utf8), &script)
        #expect(steps.last == .toService(Array(Self.request.utf8)))
        return plan
    }

    /// The steps as text: bytes as they are, the rest in brackets.
    private func text(_ steps: [FaultStep]) -> String {
        steps.map { step in
            switch step {
            case .note(let request): "[\(request.method) \(request.path)]"
            case .toService(let bytes): "[to service: \(String(decoding: bytes, as: UTF8.self))]"
            case .toClient(let bytes): String(decoding: bytes, as: UTF8.self)
            case .wait(let seconds): "[wait \(seconds)]"
            case .hold(let gate): "[hold \(gate)]"
            case .end(let ending): "[\(ending)]"
            }
        }.joined()
    }

    private func outcome(of faults: Fault..., text answer: String = answer) -> String {
        var rule = FaultRule()
        rule.faults = faults
        var script = FaultScript([rule])
        var plan = FaultPlan()
        _ = plan.receivedFromClient(Array(Self.request.utf8), &script)
        return text(plan.receivedFromService(Array(answer.utf8)))
    }

    // MARK: Without faults

    @Test func passesRequestsOnWhenTheyAreWhole() {
        var plan = FaultPlan()
        var script = FaultScript()
        var steps: [FaultStep] = []
        for byte in (Self.request + Self.request).utf8 {
            steps += plan.receivedFromClient([byte], &script)
        }
        let one = "[POST /flags][to service: \(Self.request)]"
        #expect(text(steps) == one + one)
    }

    @Test func passesAnswersOnHoweverTheyAreSplit() {
        let notModified = "HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n"
        let interim = "HTTP/1.1 100 Continue\r\n\r\n"
        let all = Self.answer + notModified + interim + Self.answer
        for size in 1...all.utf8.count {
            var plan = plan()
            var rest = Array(all.utf8)[...]
            var passed = ""
            while !rest.isEmpty {
                passed += text(plan.receivedFromService(Array(rest.prefix(size))))
                rest = rest.dropFirst(size)
            }
            #expect(passed == all)
        }
    }

    @Test func passesChunksOnWithTheirContent() {
        var plan = plan()
        let wire = Self.chunkedHead + "3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"
        var passed = ""
        for byte in wire.utf8 { passed += text(plan.receivedFromService([byte])) }
        let digits = "0123456789".map { "1\r\n\($0)\r\n" }.joined()
        #expect(passed == Self.chunkedHead + "1\r\na\r\n1\r\nb\r\n1\r\nc\r\n" + digits + "0\r\n\r\n")
    }

    @Test(arguments: [Fault.Ending.finish, .reset])
    func passesTheServicesEndOn(ending: Fault.Ending) {
        var plan = plan()
        _ = plan.receivedFromService(Array("HTTP/1.1 200 OK\r\n\r\nabc".utf8))
        #expect(plan.serviceEnded(ending) == [.end(ending)])
        #expect(plan.receivedFromService([1]).isEmpty)
        #expect(plan.serviceEnded(ending).isEmpty)
    }

    @Test func passesHalfAHeadOnAtTheServicesEnd() {
        var plan = plan()
        #expect(plan.receivedFromService(Array("HTTP/1.1 2".utf8)).isEmpty)
        #expect(text(plan.serviceEnded(.finish)) == "HTTP/1.1 2[finish]")
    }

    // MARK: Connections

    @Test func refusesAConnection() {
        #expect(FaultPlan(.refuse).opened() == [.end(.reset)])
        #expect(FaultPlan(.ignore).opened().isEmpty)
        #expect(FaultPlan().opened().isEmpty)
    }

    @Test func ignoresWhatArrivesOnAConnection() {
        var plan = FaultPlan(.ignore)
        var script = FaultScript()
        #expect(plan.receivedFromClient(Array(Self.request.utf8), &script).isEmpty)
    }

    @Test func answersInTheServicesPlace() {
        var script = FaultScript([FaultRule(.answer(Array("hello".utf8), then: .reset))])
        var plan = FaultPlan()
        let steps = plan.receivedFromClient(Array((Self.request + Self.request).utf8), &script)
        #expect(text(steps) == "[POST /flags]hello[reset]")
    }

    // MARK: Answers

    @Test(arguments: 0...48) func cutsAnywhere(count: Int) {
        let isInHead = count < Self.head.utf8.count
        let place: Fault.Position = isInHead ? .head(count) : .content(count - Self.head.utf8.count)
        // Counted in bytes: a line end is one character.
        let begun = String(decoding: Self.answer.utf8.prefix(count), as: UTF8.self)
        #expect(outcome(of: .cut(at: place, .finish)) == begun + "[finish]")
    }

    @Test func cutsAtTheEndWithoutWaitingForMore() {
        #expect(outcome(of: .cut(at: .content(10), .reset)) == Self.answer + "[reset]")
        #expect(outcome(of: .cut(at: .content(0), .reset), text: Self.head) == Self.head + "[reset]")
    }

    @Test func delaysAndHolds() {
        let passed = outcome(
            of: .delay(at: .start, seconds: 2), .hold(at: .content(3), gate: "g"),
            .hold(at: .head(9), gate: "h"))
        let head = Self.head
        #expect(
            passed == "[wait 2.0]" + head.prefix(9) + "[hold h]" + head.dropFirst(9) + "012[hold g]3456789")
    }

    @Test func changesContent() {
        #expect(outcome(of: .drop(at: .content(2), count: 3)) == Self.head + "0156789")
        #expect(outcome(of: .duplicate(at: .content(2), count: 3)) == Self.head + "0123423456789")
        #expect(outcome(of: .insert(at: .content(4), Array("abc".utf8))) == Self.head + "0123abc456789")
        #expect(outcome(of: .corrupt(at: .content(8), count: 5, bits: 1)) == Self.head + "0123456798")
        #expect(outcome(of: .corrupt(at: .head(0), count: 1, bits: 32)) == "h" + Self.answer.dropFirst())
    }

    @Test func changesContentTheSameHoweverItIsSplit() {
        for size in 1...12 {
            var plan = plan(
                .duplicate(at: .content(2), count: 3), .drop(at: .content(6), count: 1),
                .corrupt(at: .content(9), count: 1, bits: 1))
            var rest = Array(Self.answer.utf8)[...]
            var passed = ""
            while !rest.isEmpty {
                passed += text(plan.receivedFromService(Array(rest.prefix(size))))
                rest = rest.dropFirst(size)
            }
            #expect(passed == Self.head + "01234234578" + "8")
        }
    }

    @Test func drips() {
        #expect(
            outcome(of: .drip(at: .content(4), bytes: 4, every: 0.5))
                == Self.head + "01234567[wait 0.5]89[wait 0.5]")
    }

    @Test func framesWhatItChangesInChunks() {
        let wire = Self.chunkedHead + "6\r\nabcdef\r\n0\r\n\r\n"
        let head = Self.chunkedHead
        let dripped = outcome(
            of: .insert(at: .content(2), Array("xyz".utf8)), .drip(at: .content(4), bytes: 1, every: 1),
            text: wire)
        #expect(
            dripped == head + "2\r\nab\r\n3\r\nxyz\r\n2\r\ncd\r\n"
                + "1\r\ne\r\n[wait 1.0]1\r\nf\r\n[wait 1.0]0\r\n\r\n")
        #expect(
            outcome(of: .duplicate(at: .content(1), count: 2), text: wire)
                == head + "1\r\na\r\n2\r\nbcbc\r\n3\r\ndef\r\n0\r\n\r\n")
        #expect(
            outcome(of: .drop(at: .content(1), count: 2), text: wire)
                == head + "1\r\na\r\n2\r\n\r\n3\r\ndef\r\n0\r\n\r\n")
        #expect(
            outcome(of: .breakChunk(at: .content(3)), text: wire)
                == head + "3\r\nabc\r\nzz\r\n3\r\ndef\r\n0\r\n\r\n")
    }

    @Test func passesEverythingOnOnceLifted() {
        var plan = plan(
            .corrupt(at: .content(1), count: 100, bits: 1), .drip(at: .content(1), bytes: 1, every: 1),
            .cut(at: .content(5), .finish))
        _ = plan.receivedFromService(Array((Self.head + "01").utf8))
        plan.lift()
        #expect(text(plan.receivedFromService(Array("23456789".utf8))) == "23456789")
    }

    // MARK: Scripts

    @Test func ruleHitsWhatItNamesAsOftenAsItSays() {
        var script = FaultScript([
            FaultRule(.cut(at: .start, .finish), path: "/stream", skipping: 1, times: 2),
            FaultRule(.cut(at: .start, .reset), bodyText: "user-1"),
            FaultRule(.refuse, skipping: 1, times: 1),
        ])
        let stream = ProxiedRequest(method: "POST", target: "/x/stream?token=1")
        let user = ProxiedRequest(method: "POST", target: "/x", body: Array("{\"key\":\"user-1\"}".utf8))
        let hits = (0..<4).map { _ in script.faults(for: stream).isEmpty ? 0 : 1 }
        #expect(hits == [0, 1, 1, 0])
        #expect(script.faults(for: user) == [.cut(at: .start, .reset)])
        #expect(script.faults(for: ProxiedRequest(method: "GET", target: "/stream/x")).isEmpty)
        #expect((0..<3).map { _ in script.faultOfConnection() } == [nil, .refuse, nil])
    }
}
