/// The life cycle of a client as a pure state machine: an event and a moment in, actions out.
///
/// It knows no clock, no chance, no socket and no task. Everything it starts has a number that is never used again,
/// and what comes back under a number that is not in use is dropped: answers, messages and timers of an earlier
/// context can arrive whenever they like.
///
/// How values never go back: one fetch is in flight at a time; the stream `flagstaff.evaluations` tells the order of
/// its own messages; and where a fetch and that stream overlap, either the stream has delivered since the fetch was
/// sent, and the answer is dropped, or it has not, and the stream is opened anew on top of the answer.
struct ClientMachine: Sendable {
    /// The stage of life.
    enum Phase: Hashable, Sendable {
        /// Waiting for the first context.
        case idle
        /// At work.
        case running
        /// The service refused the client; waiting to be asked again.
        case stopped
        /// Over for good.
        case closed
    }

    /// Whether the service delivers, as far as listeners were told.
    enum Link: Hashable, Sendable {
        case unknown
        case up
        case down
    }

    let settings: ConnectionSettings
    var phase = Phase.idle
    var link = Link.unknown
    var lastError: FlagClientError?

    /// The context in effect.
    var context = FlagContext()
    /// The values that the service sent, or had sent when they were stored.
    ///
    /// They can be the former context's, marked as stale.
    var snapshot = FlagSnapshot.empty
    /// What reads find: the former with what the app was built with below, and overrides on top.
    var visible = FlagSnapshot.empty
    /// The values that win over all others.
    var overrides: [String: FlagValue] = [:]
    /// Whether there were values at any time.
    var wasReady = false
    /// Whether a change of context was announced whose values are not here yet.
    var announcesContext = false
    var waiters: [PendingWaiter] = []
    /// Who wants the client to rest.
    var pauses: Set<PauseCause> = []
    /// The search for stored values of the context in effect.
    var cacheSearch: CacheSearch?
    /// When the first of several changes of context in a row came.
    var settlingSince = 0.0
    /// When the values were last known to be current.
    var confirmedAt: Double?
    /// Whether the service has ever answered with flags: only then it is known which streams there are.
    var hasAnswer = false
    /// Whether the app has been told that the service refuses the client.
    var hasReportedRefusal = false

    var fetch: FetchInFlight?
    /// A fetch to do when the one in flight is over or the timer fires.
    var wish: FetchWish?
    /// How many fetches in a row have failed.
    var failedFetches = 0
    /// How many answers in a row the stream has overtaken while calls wait.
    var overtakenFetches = 0
    /// Before this time the service wants no call.
    var notBefore = 0.0
    /// The failure that said so.
    var notBeforeCause: FlagClientError?

    /// The streams of the last answer that named any.
    var announced: [EventStream] = []
    var streams: [StreamSlot] = []
    /// Addresses that answered that there is no such stream.
    ///
    /// Forgotten when the app asks again, and when they are no longer announced.
    var refusedStreams: Set<String> = []
    /// Whether a refused address was asked for anew since a stream of notices opened.
    var hasRenewedAddress = false
    /// How often the evaluations stream has changed the values.
    var pushes = 0

    var timers: [ClientTimer: Int] = [:]
    var now = Moment(uptime: 0, wall: 0, random: 0)
    private var lastNumber = 0
    private var actions: [ClientAction] = []
    private let serviceOrigin: String

    /// Makes the life cycle of a new client.
    ///
    /// - Parameters:
    ///   - settings: The numbers.
    ///   - serviceOrigin: Scheme, host and port that announced paths are below of.
    init(settings: ConnectionSettings, serviceOrigin: String) {
        self.settings = settings
        self.serviceOrigin = serviceOrigin
        snapshot = .empty(coercion: settings.coercion)
        visible = snapshot.layered(over: settings.bootstrap, under: [:], after: .empty)
    }

    /// Takes an event and returns what is to be done about it, in order.
    mutating func handle(_ event: ClientEvent, at moment: Moment) -> [ClientAction] {
        now = moment
        switch event {
        case .change(let context, let waiter): change(to: context, waiter)
        case .discard: discard()
        case .awaitValues(let waiter, let takesCached): awaitValues(waiter, takesCached: takesCached)
        case .reconnect(let context, let waiter): reconnect(for: context, waiter)
        case .refresh(let waiter): refresh(waiter)
        case .pause(let cause): pause(cause)
        case .resume(let waiter): resume(waiter)
        case .background: enterBackground()
        case .foreground: enterForeground()
        case .cacheLoaded(let id, let found): cacheLoaded(id, found)
        case .override(let values): override(with: values)
        case .abandon(let id): complete(.cancelled) { $0.waiter.id == id }
        case .close: close()
        case .fetched(let id, let result): fetched(id, result)
        case .stream(let id, let inputs): received(inputs, on: id)
        case .timer(let timer, let token): fired(timer, token)
        }
        defer { actions = [] }
        return actions
    }

    // MARK: Building blocks

    /// Adds an action.
    mutating func act(_ action: ClientAction) {
        actions.append(action)
    }

    /// A number for something new; later things have greater ones.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// The number that was given out last.
    var latestNumber: Int { lastNumber }

    /// The whole address of an announced stream.
    func address(of stream: EventStream) -> String {
        stream.url(serviceOrigin: serviceOrigin)
    }
}
