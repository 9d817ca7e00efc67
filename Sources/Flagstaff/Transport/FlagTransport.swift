/// What carries a client's requests to its service and the answers back.
///
/// Apps need none of their own: without ``FlagClientConfiguration/transport`` a client uses `URLSession`. One that sends
/// over something else (a tunnel, another HTTP library, a fake) keeps to the contract below; the conformance suite of
/// the module `FlagstaffTesting` checks an implementation against it, point by point.
///
/// **Numbers.** The caller names each request and each stream by a number that it never uses twice on one transport.
/// It can be any number, also a negative one.
///
/// **Exactly one end.** Each ``send(_:id:completion:)`` completes exactly once, and each ``open(_:id:receive:)`` ends
/// with exactly one ``FlagTransportSignal/ended(_:)``, whatever happens: an answer, a fault, ``cancel(_:)``,
/// ``close()``. Nothing is delivered for a request after its end.
///
/// **Order.** A stream delivers its head, its bytes as they arrive and in their order, then its end; the next part is
/// delivered after the handler has returned from the former. Different requests have no order among each other.
///
/// **Threads.** All members can be called from any thread, also from within a handler. Handlers are called on any
/// thread, while no lock of the transport's is held, and may be called before the call that started the request has
/// returned. None of the members waits for the network or for anything else
/// that takes time: the client's timers, so the time-outs of its calls, wait for them.
///
/// **Every answer is an answer.** Whatever its status, an answer is handed over: refusals and failures of the service
/// are the client's to judge. Redirects are not followed, as whoever they lead to would be shown the key. Cookies and
/// caches are not used. A body is decompressed; one that ends early is a fault.
///
/// **Limits.** A request that has no byte of its answer arrive for ``FlagTransportRequest/idleTimeout`` seconds ends with
/// ``FlagTransportError/Kind/timedOut``, a stream that falls silent for as long does too. A second more or less does not
/// matter.
///
/// **Privacy.** Headers hold the client's key, bodies the context, and addresses can hold tokens: none of them belongs
/// into a log or the message of an error.
public protocol FlagTransport: Sendable {
    /// Sends a request and collects the answer.
    ///
    /// - Parameters:
    ///   - request: The request, to be sent as it is.
    ///   - id: The caller's number for it.
    ///   - completion: Called exactly once, also after ``cancel(_:)`` and ``close()``.
    func send(
        _ request: FlagTransportRequest, id: Int,
        completion: @escaping @Sendable (Result<FlagTransportResponse, FlagTransportError>) -> Void)

    /// Sends a request and delivers the answer as it arrives.
    ///
    /// The answer to a request that is not accepted is delivered in the same way: its head, what there is of a body,
    /// and the end.
    ///
    /// - Parameters:
    ///   - request: The request, to be sent as it is.
    ///   - id: The caller's number for it.
    ///   - receive: Called with the head, then the bytes, and exactly once, last, with the end.
    func open(
        _ request: FlagTransportRequest, id: Int, receive: @escaping @Sendable (FlagTransportSignal) -> Void)

    /// Cuts a request or stream, which ends with ``FlagTransportError/Kind/cancelled``; nothing happens when it is over
    /// or was never there.
    ///
    /// What was on its way to the handler on another thread may still be delivered before the end.
    ///
    /// - Parameter id: The number of the request or stream.
    func cancel(_ id: Int)

    /// Cuts everything for good, and gives back connections and threads.
    ///
    /// What is sent afterwards ends with an error. A second call does nothing.
    func close()
}
