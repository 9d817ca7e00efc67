import FlagModel

/// What happens to telemetry: all that its life cycle depends on.
enum TelemetryEvent: Sendable {
    /// The app starts the client or sets its context.
    case contextSet(FlagContext)
    /// The first read since the last drain happened.
    case readsWaiting
    /// The app goes to the background.
    case background
    /// The app comes back.
    case foreground
    /// The app wants everything to be delivered, and waits.
    case flush(Waiter)
    /// The task of a waiting call was cancelled.
    case abandon(Waiter.ID)
    /// The app is done, and waits for the last delivery.
    case close(Waiter.ID)
    /// The client is let go of: what there is is stored, and nothing is sent.
    case release
    /// The counts of ``TelemetryAction/collect``.
    case collected([CountedRead])
    /// What became of the window of ``TelemetryAction/write(_:)``.
    case written([OutgoingBatch])
    /// What ``TelemetryAction/load`` found.
    case loaded(OutgoingBatch?)
    /// The answer to ``TelemetryAction/send(_:_:timeout:)``.
    case answered(Int, TelemetryAnswer)
    /// A timer fired; the token says which setting of it.
    case timer(TelemetryTimer, token: Int)
}

/// What telemetry must do after an event, in this order.
enum TelemetryAction: Sendable {
    /// Drain the counter and report with ``TelemetryEvent/collected(_:)``.
    case collect
    /// Let the counter count no more.
    case stopCounting
    /// Encode a window, store it, and report with ``TelemetryEvent/written(_:)``.
    case write(TelemetryCut)
    /// Look at the oldest stored batch and report with ``TelemetryEvent/loaded(_:)``.
    case load
    /// Delete a stored batch.
    case remove(String)
    /// Delete all stored batches.
    case removeAll
    /// Send a batch and report with ``TelemetryEvent/answered(_:_:)``.
    case send(Int, OutgoingBatch, timeout: Double)
    /// Cut a delivery.
    case cancelSend(Int)
    /// Set a timer.
    case schedule(TelemetryTimer, token: Int, after: Double)
    /// Take a timer back.
    case cancelTimer(TelemetryTimer)
    /// Let an awaited call return.
    case complete(Waiter.ID, Bool)
    /// Ask the system not to suspend the app yet.
    case beginActivity
    /// The app may be suspended.
    case endActivity
    /// Report.
    case log(FlagLogLevel, String)
    /// All is over: the transport may be closed.
    case finish
}

/// A timer of telemetry; setting it again replaces it.
enum TelemetryTimer: Hashable, Sendable {
    /// The end of a window.
    case tick
    /// The limit of the delivery in flight.
    case deadline
    /// The limit of the last delivery, with all that belongs to it.
    case budget
    /// The limit of an awaited flush.
    case waiter(Waiter.ID)
}
