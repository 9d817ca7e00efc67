import FlagModel
import Testing

@testable import Flagstaff

/// Thousands of random runs against a model of a service: whatever comes in whatever order, the promises hold.
@Suite struct ClientMachineModelTests {
    private static let offers: [[EventStream]?] = [
        nil, [Answers.evaluationsStream], [Answers.noticesStream()],
        [Answers.noticesStream(), Answers.evaluationsStream],
        [Answers.noticesStream("/one"), Answers.noticesStream("/two")],
    ]
    private static let modes: [FlagSyncMode] = [
        .streaming, .streaming, .streaming, .polling(every: 30), .once, .manual,
    ]

    @Test(arguments: 0..<40)
    func promisesHold(block: Int) {
        for seed in 0..<50 {
            var run = ModelRun(
                seed: UInt64(block * 50 + seed), offers: Self.offers, modes: Self.modes)
            run.play(steps: 250)
            run.settle()
            run.close()
            if !run.faults.isEmpty {
                Issue.record("seed \(block * 50 + seed): \(run.faults.joined(separator: "; "))")
                return
            }
        }
    }
}

/// One random run.
private struct ModelRun {
    private var machine: ClientMachine
    private var service: ModelService
    private var dice: SeededGenerator
    private let sync: FlagSyncMode
    private(set) var faults: [String] = []

    private var uptime = 0.0
    private var timers: [ClientTimer: (token: Int, due: Double)] = [:]
    private var spentTimers: [(ClientTimer, Int)] = []
    private var calls: Set<Int> = []
    private var outcomes: [Int: FlagUpdateOutcome] = [:]
    private var lastCall = 0
    /// What the service had when a call was made.
    private var atCall: [Int: [String: Int64]] = [:]
    private var active: Set<Int> = []
    private var activeStreams: [Int: StreamKind] = [:]
    private var notBefore = 0.0
    private var wasClosed = false
    private var lastVersion = 0
    /// Searches for stored values that are not over.
    private var searches: [(id: Int, context: FlagContext)] = []
    /// What is stored.
    private var store: [FlagContext: FlagSnapshot] = [:]
    private var readies = 0
    /// The highest value seen of each flag since the context was set.
    private var seen: [String: Int64] = [:]

    init(seed: UInt64, offers: [[EventStream]?], modes: [FlagSyncMode]) {
        dice = SeededGenerator(seed: seed)
        sync = modes.randomElement(using: &dice) ?? .streaming
        service = ModelService(offer: offers.randomElement(using: &dice) ?? nil)
        var settings = ConnectionSettings()
        settings.sync = sync
        let policies: [FlagContextSwitchPolicy] = [.keepUntilReplaced, .dropAtOnce, .cachedElseDefaults]
        settings.contextSwitch = policies.randomElement(using: &dice) ?? .dropAtOnce
        settings.hasCache = Bool.random(using: &dice)
        settings.startRequirement = Bool.random(using: &dice) ? .cached : .fresh
        settings.contextChangeDelay = Bool.random(using: &dice) ? 0 : 2
        settings.pausesInBackground = Bool.random(using: &dice)
        let refusals: [FlagRefusalPolicy] = [.stop, .stopUntilRefresh, .slowDown]
        settings.refusal = refusals.randomElement(using: &dice) ?? .stop
        let refreshes: [FlagForegroundRefresh] = [.always, .never, .ifOlder(than: 20)]
        settings.foregroundRefresh = refreshes.randomElement(using: &dice) ?? .always
        if Bool.random(using: &dice) { settings.bootstrap = ["z": 1] }
        machine = ClientMachine(settings: settings, serviceOrigin: "http://flags.test")
    }

    // MARK: Events

    private mutating func send(_ event: ClientEvent) {
        let moment = Moment(
            uptime: uptime, wall: 1_800_000_000 + uptime, random: Double.random(in: 0..<1, using: &dice))
        let isClosed = wasClosed
        let actions = machine.handle(event, at: moment)
        for action in actions { check(action, afterClose: isClosed) }
    }

    private mutating func check(_ action: ClientAction, afterClose: Bool) {
        switch action {
        case .complete(let id, let outcome):
            if outcomes[id] != nil { faults.append("call \(id) returned twice") }
            outcomes[id] = outcome
            if outcome == .fresh { checkFresh(id) }
            return
        case .fetch(let id, let request):
            active.insert(id)
            if active.count > 1 { faults.append("two fetches in flight") }
            if uptime < notBefore { faults.append("a call before Retry-After") }
            if request.context != machine.context { faults.append("a fetch for another context") }
            service.fetches.append(ModelService.Fetch(id: id, request: request))
        case .cancelFetch(let id): active.remove(id)
        case .openStream(let id, let request):
            if request.kind == .evaluations {
                if activeStreams.values.contains(.evaluations) { faults.append("two streams of flags") }
                if uptime < notBefore { faults.append("a stream before Retry-After") }
                if request.context != machine.context { faults.append("a stream for another context") }
            }
            activeStreams[id] = request.kind
            service.connections.append(ModelService.Connection(id: id, request: request))
        case .closeStream(let id):
            activeStreams[id] = nil
            for index in service.connections.indices where service.connections[index].id == id {
                service.connections[index].isCut = true
                service.connections[index].isAccepted = false
            }
        case .schedule(let timer, let token, let delay):
            if !delay.isFinite || delay < 0 { faults.append("a timer after \(delay) s") }
            timers[timer] = (token, uptime + delay)
        case .cancelTimer(let timer):
            if let setting = timers.removeValue(forKey: timer) { spentTimers.append((timer, setting.token)) }
        case .store(let snapshot, _): check(snapshot)
        case .loadCache(let id, let context): searches.append((id, context))
        case .saveCache(let snapshot):
            if snapshot.isStale || snapshot.context != machine.context || snapshot.contents.origin != .network
            {
                faults.append("values stored that are not the service's for the context")
            }
            store[snapshot.context] = snapshot
        case .clearCache: store = [:]
        case .emit(let event): check(event)
        case .log, .finish: break
        }
        if afterClose { faults.append("\(action) after close") }
    }

    private mutating func checkFresh(_ call: Int) {
        if !machine.holdsContext { faults.append("fresh without the context's values") }
        for (key, value) in atCall[call, default: [:]] {
            let current = machine.snapshot.resolutions[key]?.value?.intValue ?? 0
            if current < value { faults.append("fresh with \(key) \(current), \(value) at the call") }
        }
    }

    private mutating func check(_ snapshot: FlagSnapshot) {
        if snapshot.version <= lastVersion { faults.append("versions do not grow") }
        lastVersion = snapshot.version
        if snapshot.isStale || !snapshot.isReady {
            seen = [:]
            return
        }
        if snapshot.context != machine.context { faults.append("values of another context applied") }
        if snapshot.resolutions["who"]?.value?.stringValue != machine.context.targetingKey {
            faults.append("values of another subject")
        }
        for (key, resolution) in snapshot.resolutions {
            guard let value = resolution.value?.intValue else { continue }
            if value < seen[key, default: 0] {
                faults.append("\(key) went back from \(seen[key, default: 0]) to \(value)")
            }
            seen[key] = max(value, seen[key, default: 0])
        }
    }

    // MARK: A random run

    mutating func play(steps: Int) {
        for _ in 0..<steps where faults.isEmpty {
            switch Int.random(in: 0..<100, using: &dice) {
            case 0..<6: call { .change(FlagContext(key: ["u", "v", "w"][Int($0.id) % 3]), $0) }
            case 6..<12: call { .refresh($0) }
            case 12..<14: send(.abandon(Int.random(in: 1...max(1, lastCall), using: &dice)))
            case 14..<30: service.change(["a", "b", "c"].randomElement(using: &dice) ?? "a")
            case 30..<45: evaluate(canFail: true)
            case 45..<60: deliverFetch()
            case 60..<66: accept(canRefuse: true)
            case 66..<82: deliverStream()
            case 82..<84: breakStream()
            case 84..<85: lateTimer()
            case 85..<86: send(Bool.random(using: &dice) ? .pause(.app) : .background)
            case 86..<88: rouse()
            case 88..<90: endSearch()
            case 90..<91: send(.override(Bool.random(using: &dice) ? ["y": 1] : [:]))
            case 91..<92: send(.discard)
            case 92..<93: call { .awaitValues($0, takesCached: $0.id % 2 == 0) }
            default: advance(by: Double.random(in: 0..<12, using: &dice))
            }
        }
    }

    private mutating func call(_ event: (Waiter) -> ClientEvent) {
        lastCall += 1
        calls.insert(lastCall)
        atCall[lastCall] = service.flags
        let timeouts: [Double] = [0, 1, 5, 60, .infinity]
        let timeout = timeouts.randomElement(using: &dice) ?? 5
        // A change of context starts the count of what was seen, also where it keeps the former values.
        send(event(Waiter(id: lastCall, timeout: timeout)))
    }

    private mutating func rouse() {
        if Bool.random(using: &dice) { send(.foreground) } else { call { .resume($0) } }
    }

    /// The disk answers, maybe late.
    private mutating func endSearch() {
        guard let index = searches.indices.randomElement(using: &dice) else { return }
        let search = searches.remove(at: index)
        send(
            .cacheLoaded(
                search.id, Int.random(in: 0..<4, using: &dice) == 0 ? nil : store[search.context]))
    }

    private mutating func check(_ event: FlagEvent) {
        if event.kind == .ready { readies += 1 }
        if readies > 1 { faults.append("ready twice") }
        if !machine.pauses.isEmpty, !active.isEmpty || !activeStreams.isEmpty {
            faults.append("something under way while paused")
        }
    }

    private mutating func evaluate(canFail: Bool) {
        let waiting = service.fetches.indices.filter { service.fetches[$0].result == nil }
        guard let index = waiting.randomElement(using: &dice) else { return }
        var failure: FetchResult?
        if canFail, Int.random(in: 0..<4, using: &dice) == 0 {
            let failures = [
                Answers.failure(500), Answers.failure(429, retryAfter: "20"),
                .failure(Answers.networkFailure),
                Answers.failure(401), .notModified,
            ]
            failure = failures.randomElement(using: &dice)
            // A 304 that nobody asked for can be coped with; with one that lies nothing could be promised.
            if failure == .notModified, service.fetches[index].request.etag != nil { failure = nil }
        }
        service.evaluate(index, failure: failure)
    }

    private mutating func deliverFetch() {
        let ready = service.fetches.indices.filter { service.fetches[$0].result != nil }
        guard let index = ready.randomElement(using: &dice) else { return }
        let fetch = service.fetches.remove(at: index)
        guard let result = fetch.result else { return }
        let wasActive = active.remove(fetch.id) != nil
        if wasActive, result == Answers.failure(429, retryAfter: "20") { notBefore = uptime + 20 }
        send(.fetched(fetch.id, result))
    }

    private mutating func accept(canRefuse: Bool) {
        let waiting = service.connections.indices.filter {
            !service.connections[$0].isAccepted && !service.connections[$0].hasEnded
                && !service.connections[$0].isCut
        }
        guard let index = waiting.randomElement(using: &dice) else { return }
        if canRefuse, Int.random(in: 0..<4, using: &dice) == 0 {
            let status = [503, 404, 500, 401].randomElement(using: &dice) ?? 503
            service.end(index, Answers.failed(status))
        } else {
            service.accept(index)
        }
    }

    private mutating func deliverStream() {
        let ready = service.connections.indices.filter { !service.connections[$0].queue.isEmpty }
        guard let index = ready.randomElement(using: &dice) else { return }
        let count = Int.random(in: 1...service.connections[index].queue.count, using: &dice)
        let inputs = Array(service.connections[index].queue.prefix(count))
        service.connections[index].queue.removeFirst(count)
        let id = service.connections[index].id
        // After the end, or a cut, nothing new comes; what was on its way may.
        if service.connections[index].queue.isEmpty,
            service.connections[index].hasEnded || service.connections[index].isCut
        {
            service.connections.remove(at: index)
        }
        send(.stream(id, inputs))
    }

    private mutating func breakStream() {
        guard let index = service.connections.indices.randomElement(using: &dice) else { return }
        service.end(index, Answers.networkFailure)
    }

    private mutating func lateTimer() {
        guard let (timer, token) = spentTimers.randomElement(using: &dice) else { return }
        send(.timer(timer, token: token))
    }

    private mutating func advance(by seconds: Double) {
        let end = uptime + seconds
        while let (timer, setting) = timers.min(by: {
            ($0.value.due, $0.value.token) < ($1.value.due, $1.value.token)
        }),
            setting.due <= end
        {
            uptime = max(uptime, setting.due)
            timers[timer] = nil
            spentTimers.append((timer, setting.token))
            send(.timer(timer, token: setting.token))
        }
        uptime = end
    }

    // MARK: The end

    /// The service is well and answers at once: the client must end on what the service has.
    mutating func settle() {
        guard faults.isEmpty else { return }
        // What was refused before still arrives, and stops the client; then the app asks again.
        evaluateAndDeliverAll()
        while !searches.isEmpty { endSearch() }
        send(.override([:]))
        call { .resume($0) }
        call { .change(FlagContext(key: "u"), $0) }
        if machine.staysStopped { call { .refresh($0) } }
        settle(rounds: 50)
        service.change("a")
        settle(rounds: 30)
        guard faults.isEmpty else { return }
        if !machine.holdsContext { faults.append("the context's values never arrived") }
        guard sync != .once, sync != .manual else { return }
        if let bootstrap = machine.settings.bootstrap["z"],
            machine.visible.resolutions["z"]?.value != bootstrap
        {
            faults.append("a bootstrap value is lost")
        }
        let values = machine.snapshot.resolutions.compactMapValues(\.value)
        if values != service.values(for: machine.context) {
            faults.append("ended on \(values) where the service has \(service.values(for: machine.context))")
        }
    }

    private mutating func settle(rounds: Int) {
        for _ in 0..<rounds {
            evaluateAndDeliverAll()
            // From timer to timer, so that long back-offs take no more rounds than short ones.
            let next = timers.values.map(\.due).min() ?? uptime
            advance(by: max(0, next - uptime))
        }
        evaluateAndDeliverAll()
    }

    private mutating func evaluateAndDeliverAll() {
        while service.hasWork {
            evaluate(canFail: false)
            deliverFetch()
            accept(canRefuse: false)
            deliverStream()
        }
    }

    mutating func close() {
        guard faults.isEmpty else { return }
        send(.close)
        wasClosed = true
        if Set(outcomes.keys) != calls {
            faults.append("calls never returned: \(calls.subtracting(outcomes.keys))")
        }
        if !active.isEmpty || !activeStreams.isEmpty || !timers.isEmpty {
            faults.append("something was left running")
        }
        for _ in 0..<20 {
            deliverFetch()
            deliverStream()
            lateTimer()
        }
        call { .refresh($0) }
        if outcomes[lastCall] != .closed { faults.append("a call after close did not return") }
    }
}
