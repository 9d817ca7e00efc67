/// What an app is told of its connection, as a pure state machine: calls and the client's events in, news out.
///
/// The native client decides what is connected when; this keeps the account in the words of the drop-in module. Of the
/// client's events all that follow `reconnecting` belong to the attempt that asked for it, so what arrives late for a
/// former one is never taken for it.
struct ConnectionState: Sendable {
    /// A call of `initialize`, `updateContext` or `resumeNetwork`, from its beginning on.
    struct Call: Hashable, Sendable {
        let reason: ConnectReason
        /// How many pauses there were when it was made: a later one is the newer wish.
        let pauses: Int
    }

    /// A connection that was asked for and has not delivered yet.
    struct Attempt: Sendable {
        let id: Int
        var reason: ConnectReason
        let call: Call
        /// The context that it brings into effect; `nil` once it is.
        var context: Pending?
        /// The version of the values when it began: later ones are its own.
        var baseline: Int?

        /// A context that is to take effect, possibly none.
        struct Pending: Sendable {
            let context: ConfigDirectorContext?
        }
    }

    /// What is to be told.
    struct News: Sendable {
        /// In this order.
        var events: [ClientEvent] = []
        /// The watchers to look again: those of these keys, or all for `nil`.
        var keys: Set<String>? = []
        /// What is to be logged.
        var log: Message?
        /// Whether the client must be paused again: a call has overtaken the pause that was to stop it.
        var pauses = false

        /// Something for the log.
        enum Message: Sendable {
            case interrupted
            case refused(ConfigDirectorError)
        }
    }

    /// What becomes of a call when its turn has come.
    enum Turn: Sendable {
        case connect(Attempt, to: ConfigDirectorContext?)
        case passedOver(ConfigDirectorContext?, News)
        case closed
    }

    /// Whether the values of the context in effect are here.
    private(set) var isReady = false
    /// Whether the first values are being waited for.
    private(set) var isInitializing = false
    private(set) var isClosed = false
    /// The context in effect.
    private(set) var context: ConfigDirectorContext?
    /// The keys of the configs that are here.
    private(set) var keys: Set<String> = []
    /// What is connecting; `nil` when its values are here, and when nothing is.
    private(set) var attempt: Attempt?
    /// An attempt that was handed to the client and not begun by it.
    private(set) var upcoming: Attempt?
    /// The context that was given last.
    private var given: Attempt.Pending?
    /// Whether the context that was given last is in effect.
    private var isGivenInEffect = false
    private(set) var hasReceived = false
    private var pauses = 0
    /// Whether the client rests since the last of them.
    private var isResting = false
    /// Whether a pause was counted whose event is still to come.
    private var expectsPause = false
    private var lastAttempt = 0

    // MARK: Calls

    /// A call is made.
    mutating func call(_ reason: ConnectReason) -> Call {
        // Without one before it, it begins at once, and then says so itself.
        if attempt != nil || upcoming != nil { initializes(reason) }
        return Call(reason: reason, pauses: pauses)
    }

    /// A call's turn has come.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - context: The context that it was given; `nil` for the one that was given last.
    ///   - version: The version of the values.
    /// - Returns: What becomes of it.
    mutating func begin(_ call: Call, _ context: Attempt.Pending?, version: Int) -> Turn {
        if isClosed { return .closed }
        let next = context ?? given ?? Attempt.Pending(context: nil)
        let isAnnounced = context == nil && isGivenInEffect
        given = next
        isGivenInEffect = isAnnounced
        lastAttempt += 1
        // A pause that is over already, the background's, is no newer wish.
        let current = isResting ? call : Call(reason: call.reason, pauses: pauses)
        let attempt = Attempt(
            id: lastAttempt, reason: call.reason, call: current, context: isAnnounced ? nil : next,
            baseline: version)
        if call.pauses != pauses, isResting {
            self.attempt = attempt
            return .passedOver(next.context, giveUp(attempt.id))
        }
        upcoming = attempt
        return .connect(attempt, to: next.context)
    }

    /// The client has returned from an attempt, for another reason than that its values are here.
    ///
    /// - Parameters:
    ///   - id: The attempt.
    ///   - isCancelled: Whether the caller is no longer interested, which nobody need know.
    /// - Returns: What is to be told: the context is in effect all the same.
    mutating func interrupted(_ id: Int, isCancelled: Bool) -> News {
        var news = giveUp(id)
        if isCancelled { news.log = nil }
        return news
    }

    private mutating func giveUp(_ id: Int) -> News {
        var news = News()
        news.log = .interrupted
        if attempt?.id == id, let pending = attempt?.context {
            attempt?.context = nil
            take(pending, &news)
        } else if upcoming?.id == id, let pending = upcoming?.context {
            upcoming?.context = nil
            take(pending, &news)
        }
        return news
    }

    private mutating func take(_ pending: Attempt.Pending, _ news: inout News) {
        context = pending.context
        isGivenInEffect = true
        news.events.append(.contextUpdated(pending.context))
    }

    /// The app pauses.
    mutating func pause() {
        pauses += 1
        expectsPause = true
        isResting = true
        isReady = false
    }

    /// The app closes the client; `false` where it is closed already.
    mutating func close() -> Bool {
        if isClosed { return false }
        isClosed = true
        isReady = false
        isInitializing = false
        return true
    }

    // MARK: The client's events

    /// The client begins an attempt.
    mutating func begun() -> News {
        expectsPause = false
        guard let next = upcoming else { return News() }
        upcoming = nil
        isReady = false
        initializes(next.reason)
        attempt = next
        return News(pauses: next.call.pauses != pauses)
    }

    /// The client rests.
    mutating func paused(version: Int) -> News {
        if expectsPause { expectsPause = false } else { pauses += 1 }
        isResting = true
        if isClosed { return News() }
        isReady = false
        if attempt == nil {
            attempt = Attempt(
                id: 0, reason: .networkResume, call: Call(reason: .networkResume, pauses: pauses),
                context: nil)
        }
        attempt?.reason = .networkResume
        attempt?.baseline = version
        return News()
    }

    /// The client goes on after a rest.
    mutating func resumed() {
        isResting = false
    }

    /// Something has arrived from the service.
    ///
    /// - Parameters:
    ///   - sent: The keys of the configs that were sent.
    ///   - gone: The keys of the configs that are gone, where only changes were sent.
    ///   - isWhole: Whether all configs were sent.
    /// - Returns: What is to be told.
    mutating func received(_ sent: [String], gone: [String], isWhole: Bool) -> News {
        if isClosed { return News() }
        var news = becomeReady()
        if isWhole || !gone.isEmpty {
            // What was removed is told as what all configs say that are left.
            let now = isWhole ? Set(sent) : keys.union(sent).subtracting(gone)
            let removed = keys.subtracting(now)
            keys = now
            news.keys = nil
            news.events.append(
                .configsUpdated(ConfigsUpdate(keys: now.sorted(), removedKeys: removed.sorted())))
        } else {
            keys.formUnion(sent)
            news.keys = Set(sent)
            news.events.append(.configsUpdated(ConfigsUpdate(keys: sent.sorted())))
        }
        return news
    }

    /// The service delivers: where nothing has arrived since, nothing is new.
    ///
    /// - Parameter version: The version of the values.
    /// - Returns: What is to be told.
    mutating func connected(version: Int) -> News {
        guard !isClosed, !isReady, let baseline = attempt?.baseline, version > baseline else { return News() }
        return received(Array(keys), gone: [], isWhole: true)
    }

    private mutating func initializes(_ reason: ConnectReason) {
        if reason == .initialization, !hasReceived, !isClosed { isInitializing = true }
    }

    /// The service refuses the client, which goes on when it is called again: the context before stays in effect.
    mutating func stopped(_ error: ConfigDirectorError) -> News {
        if isClosed { return News() }
        isInitializing = false
        attempt = nil
        var news = News()
        news.log = .refused(error)
        return news
    }

    private mutating func becomeReady() -> News {
        var news = News()
        hasReceived = true
        isInitializing = false
        guard var delivered = attempt else { return news }
        attempt = nil
        if let pending = delivered.context {
            delivered.context = nil
            take(pending, &news)
        }
        isReady = true
        news.events.append(.ready(delivered.reason))
        return news
    }
}
