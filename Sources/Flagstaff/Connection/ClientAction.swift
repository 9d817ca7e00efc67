/// What a client must do after an event, in this order.
enum ClientAction: Sendable {
    /// Put values in effect and tell the watchers of these keys.
    case store(FlagSnapshot, changedKeys: [String])
    /// Look for stored values of a context.
    case loadCache(Int, FlagContext)
    /// Store values for the next start.
    case saveCache(FlagSnapshot)
    /// Forget what is stored for all contexts.
    case clearCache
    /// Tell the listeners.
    case emit(FlagEvent)
    /// Let an awaited call return.
    case complete(Waiter.ID, FlagUpdateOutcome)
    /// Ask for all flags.
    case fetch(Int, FetchRequest)
    /// Cut a fetch.
    case cancelFetch(Int)
    /// Open a stream.
    case openStream(Int, StreamRequest)
    /// Cut a stream.
    case closeStream(Int)
    /// Set a timer.
    case schedule(ClientTimer, token: Int, after: Double)
    /// Take a timer back.
    case cancelTimer(ClientTimer)
    /// Report.
    case log(FlagLogLevel, String)
    /// End all sequences and the transport.
    case finish
}

/// A request for all flags of a context.
struct FetchRequest: Hashable, Sendable {
    var context: FlagContext
    /// The state that the client has, if it has one for this context.
    var etag: String?
    /// The notice that caused the request.
    var notice: RefetchNotice?
}

/// A request to open a stream.
struct StreamRequest: Hashable, Sendable {
    var kind: StreamKind
    /// Can hold a secret: never logged.
    var url: String
    var context: FlagContext
    var etag: String?
    var lastEventID: String?
}

/// What a stream delivers.
enum StreamKind: Hashable, Sendable {
    /// The context's flags themselves.
    case evaluations
    /// Notices to fetch.
    case notices
}
