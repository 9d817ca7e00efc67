import FlagLocking

// Each control comes for one kind of request; `start` and changes of context have names of their own.
extension TestFlagService {
    // MARK: Holding and failing the next request

    /// Lets the next request of a kind wait until ``complete(_:)``, ``fail(_:with:)`` or ``abandon(_:)``, or until the
    /// client gives it up.
    ///
    /// Twice is once, and it takes the place of a failure that was planned. A call that waits on the request ends at its
    /// own time limit all the same.
    ///
    /// - Parameter kind: The kind of request.
    public func holdNext(_ kind: TestRequest.Kind) {
        update { $0.arms[kind] = .hold }
    }

    /// Answers the requests of a kind that are held, with what is served now.
    ///
    /// The values have arrived when the call returns. With none held it takes back what is planned for the next one.
    ///
    /// - Parameter kind: The kind of request.
    public func complete(_ kind: TestRequest.Kind) {
        update { model in
            let held = model.takeHeld(kind)
            if held.isEmpty { model.arms[kind] = nil }
            for pending in held { model.answer(pending) }
        }
    }

    /// Lets the requests of a kind that are held fail; with none held, the next one.
    ///
    /// - Parameters:
    ///   - kind: The kind of request.
    ///   - fault: How.
    public func fail(_ kind: TestRequest.Kind, with fault: TestFault) {
        update { model in
            let held = model.takeHeld(kind)
            if held.isEmpty { model.arms[kind] = .fail(fault) }
            for pending in held { model.fail(pending, with: fault) }
        }
    }

    /// Never answers the requests of a kind that are held: clients wait until they give up by themselves.
    ///
    /// - Parameter kind: The kind of request.
    public func abandon(_ kind: TestRequest.Kind) {
        update { _ = $0.takeHeld(kind) }
    }

    /// Takes back all that is planned for next requests; what is held stays held.
    public func disarm() {
        update { $0.arms = [:] }
    }

    /// The requests that are held.
    public var heldRequests: [TestRequest] {
        model.withLock { $0.held.filter { $0.timer == nil }.map(\.request) }
    }

    /// Waits until a request of a kind is held, or is already.
    ///
    /// A held call suspends its caller; this tells a test that drives it from outside that it has come so far.
    ///
    /// - Parameters:
    ///   - kind: The kind of request.
    ///   - limit: How long to wait at most, in seconds. Default 10.
    /// - Returns: The request.
    /// - Throws: ``TestTimeout`` when there is none in time.
    @discardableResult
    public func heldRequest(_ kind: TestRequest.Kind, within limit: Double = 10) async throws -> TestRequest {
        try await signal.value("a held request of the kind '\(kind.rawValue)'", within: limit) {
            heldRequests.first { $0.kinds.contains(kind) }
        }
    }

    // MARK: The next start

    /// Lets the next `start` wait until ``completeStart()`` or ``failStart(with:)``, or its time limit.
    public func holdNextStart() {
        holdNext(.start)
    }

    /// Answers the `start` that is held with what is served now: the client is ready when the call returns.
    ///
    /// With none held it takes back what is planned for the next one.
    public func completeStart() {
        complete(.start)
    }

    /// Lets the `start` that is held fail; with none held, the next one.
    ///
    /// - Parameter fault: How. Default: the way a refused key does.
    public func failStart(with fault: TestFault = .unauthorized) {
        fail(.start, with: fault)
    }

    // MARK: The next change of context

    /// Lets the next `setContext` wait until ``completeContextChange()`` or ``failContextChange(with:)``, or its time
    /// limit.
    public func holdNextContextChange() {
        holdNext(.contextChange)
    }

    /// Answers the `setContext` that is held with what is served now: its values are in effect when the call returns.
    ///
    /// With none held it takes back what is planned for the next one.
    public func completeContextChange() {
        complete(.contextChange)
    }

    /// Lets the `setContext` that is held fail; with none held, the next one.
    ///
    /// - Parameter fault: How. Default: the way a refused key does.
    public func failContextChange(with fault: TestFault = .unauthorized) {
        fail(.contextChange, with: fault)
    }

    func answerDelayed(_ number: Int) {
        update { model in
            guard let index = model.held.firstIndex(where: { $0.request.number == number }) else { return }
            model.answer(model.held.remove(at: index))
        }
    }
}
