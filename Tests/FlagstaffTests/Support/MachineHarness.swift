import FlagModel
import Foundation
import Testing

@testable import Flagstaff

/// A life cycle with a clock in the hand of the test: events in, and what came of them to look at.
struct MachineHarness {
    var machine: ClientMachine
    /// Seconds on the clock.
    var uptime = 1000.0
    /// Seconds since 1970 by the device's clock.
    var wall = 1_800_000_000.0
    /// The dice.
    var random = 0.5

    /// Fetches that were sent and neither answered nor cut.
    private(set) var openFetches: [Int: FetchRequest] = [:]
    /// All fetches, in order.
    private(set) var fetches: [FetchRequest] = []
    private(set) var openStreams: [Int: StreamRequest] = [:]
    private(set) var streams: [StreamRequest] = []
    private(set) var outcomes: [Int: [FlagUpdateOutcome]] = [:]
    private(set) var events: [FlagEvent] = []
    private(set) var snapshots: [FlagSnapshot] = []
    private(set) var changedKeys: [[String]] = []
    /// Timers that are set: token and when.
    private(set) var timers: [ClientTimer: (token: Int, due: Double)] = [:]
    private(set) var isFinished = false
    /// Searches for stored values, in order.
    private(set) var searches: [(id: Int, context: FlagContext)] = []
    /// What was to be stored, in order.
    private(set) var saved: [FlagSnapshot] = []
    /// How often all that was stored was to be forgotten.
    private(set) var cacheClearings = 0
    private var lastWaiter = 0

    init(
        _ sync: FlagSyncMode = .streaming, contextSwitch: FlagContextSwitchPolicy = .keepUntilReplaced,
        change: (inout ConnectionSettings) -> Void = { _ in }
    ) {
        // The endpoint is of no interest here: the life cycle sees none of it.
        var settings = ConnectionSettings(sync: sync, contextSwitch: contextSwitch)
        change(&settings)
        machine = ClientMachine(settings: settings, serviceOrigin: "http://flags.test")
    }

    /// Hands an event over and takes note of the actions.
    @discardableResult
    mutating func send(_ event: ClientEvent) -> [ClientAction] {
        let actions = machine.handle(event, at: Moment(uptime: uptime, wall: wall, random: random))
        for action in actions { note(action) }
        return actions
    }

    private mutating func note(_ action: ClientAction) {
        switch action {
        case .store(let snapshot, let keys):
            snapshots.append(snapshot)
            changedKeys.append(keys)
        case .emit(let event): events.append(event)
        case .complete(let id, let outcome): outcomes[id, default: []].append(outcome)
        case .fetch(let id, let request):
            openFetches[id] = request
            fetches.append(request)
        case .cancelFetch(let id): openFetches[id] = nil
        case .openStream(let id, let request):
            openStreams[id] = request
            streams.append(request)
        case .closeStream(let id): openStreams[id] = nil
        case .schedule(let timer, let token, let delay): timers[timer] = (token, uptime + delay)
        case .cancelTimer(let timer): timers[timer] = nil
        case .loadCache(let id, let context): searches.append((id, context))
        case .saveCache(let snapshot): saved.append(snapshot)
        case .clearCache: cacheClearings += 1
        case .finish: isFinished = true
        case .log: break
        }
    }

    // MARK: The app

    /// `start` and `setContext`; returns the number of the call.
    @discardableResult
    mutating func change(to key: String, timeout: Double = 5) -> Int {
        lastWaiter += 1
        send(.change(FlagContext(key: key), Waiter(id: lastWaiter, timeout: timeout)))
        return lastWaiter
    }

    /// `waitUntilReady` and `waitUntilFresh`; returns the number of the call.
    @discardableResult
    mutating func awaitValues(timeout: Double, takesCached: Bool = true) -> Int {
        lastWaiter += 1
        send(.awaitValues(Waiter(id: lastWaiter, timeout: timeout), takesCached: takesCached))
        return lastWaiter
    }

    /// `refresh`; returns the number of the call.
    @discardableResult
    mutating func refresh(timeout: Double = 5) -> Int {
        lastWaiter += 1
        send(.refresh(Waiter(id: lastWaiter, timeout: timeout)))
        return lastWaiter
    }

    /// `reconnect`; returns the number of the call.
    @discardableResult
    mutating func reconnect(for key: String, timeout: Double = 5) -> Int {
        lastWaiter += 1
        send(.reconnect(FlagContext(key: key), Waiter(id: lastWaiter, timeout: timeout)))
        return lastWaiter
    }

    /// How a call returned, if it has; fails when it did so twice.
    func outcome(_ call: Int) -> FlagUpdateOutcome? {
        #expect(outcomes[call, default: []].count <= 1)
        return outcomes[call]?.first
    }

    /// `resume`; returns the number of the call.
    @discardableResult
    mutating func resume(timeout: Double = 5) -> Int {
        lastWaiter += 1
        send(.resume(Waiter(id: lastWaiter, timeout: timeout)))
        return lastWaiter
    }

    // MARK: The disk

    /// Ends the last search with these values of its context, or with none.
    mutating func found(_ values: [String: FlagValue]?, etag: String? = "c1") {
        guard let (id, context) = searches.last else {
            Issue.record("nothing is searched for")
            return
        }
        send(.cacheLoaded(id, values.map { stored($0, etag: etag, context: context) }))
    }

    /// Values as they are stored.
    func stored(_ values: [String: FlagValue], etag: String?, context: FlagContext) -> FlagSnapshot {
        let resolutions = values.map { FlagResolution(key: $0, value: $1, reason: .static) }
        return FlagSnapshot.cached(
            Dictionary(uniqueKeysWithValues: resolutions.map { ($0.key, $0) }), metadata: [:], etag: etag,
            context: context, time: Date(timeIntervalSince1970: wall - 3600))
    }

    // MARK: The service

    /// The number of the one fetch in flight.
    var fetchID: Int? {
        #expect(openFetches.count <= 1)
        return openFetches.keys.first
    }

    /// The number of the one open stream.
    var streamID: Int? {
        #expect(openStreams.count <= 1)
        return openStreams.keys.first
    }

    /// Answers the fetch in flight.
    @discardableResult
    mutating func answer(_ result: FetchResult) -> [ClientAction] {
        guard let id = fetchID else {
            Issue.record("no fetch is in flight")
            return []
        }
        openFetches[id] = nil
        return send(.fetched(id, result))
    }

    /// Delivers on the open stream.
    mutating func deliver(_ inputs: StreamInput...) {
        guard let id = streamID else {
            Issue.record("no stream is open")
            return
        }
        if case .ended = inputs.last { openStreams[id] = nil }
        send(.stream(id, inputs))
    }

    /// Starts, and brings our stream to where it delivers.
    mutating func startStreaming(_ values: [String: FlagValue] = ["a": 1], etag: String = "e1") {
        change(to: "user")
        answer(Answers.fresh(values, etag: etag, streams: [Answers.evaluationsStream]))
        deliver(.opened, .evaluations(.current(etag: etag), id: nil))
    }

    // MARK: Time

    /// Lets time pass, firing what is due, in order.
    mutating func advance(by seconds: Double) {
        let end = uptime + seconds
        while let (timer, setting) = timers.min(by: { $0.value.due < $1.value.due }), setting.due <= end {
            wall += max(0, setting.due - uptime)
            uptime = max(uptime, setting.due)
            timers[timer] = nil
            send(.timer(timer, token: setting.token))
        }
        wall += end - uptime
        uptime = end
    }

    /// In how many seconds a timer fires.
    func due(_ timer: ClientTimer) -> Double? {
        timers[timer].map { $0.due - uptime }
    }

    /// The values that reads find.
    var values: [String: FlagValue] {
        machine.visible.resolutions.compactMapValues(\.value)
    }
}
