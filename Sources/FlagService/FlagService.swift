import FlagEvaluation
import FlagModel
package import FlagStore
package import HTTPServer
import Dispatch
import FlagLocking

/// The flag service: takes rules from a source, answers requests, and tells open streams of changes.
///
/// Safe to use from any thread. ``handle(_:)`` is what an ``HTTPServer`` calls; it answers from memory and never
/// waits.
package final class FlagService: Sendable {
    let configuration: Configuration
    let keys: ClientKeys
    let log: ServiceLog
    let clock: @Sendable () -> Int64
    let rules: PublishedRules
    let metrics = ServiceMetrics()
    let hub: StreamHub
    let intake: TelemetryIntake
    private let source: any FlagSource
    private let limiter: Lock<RateLimiter>?

    /// Makes a service; nothing is read or served yet.
    ///
    /// - Parameters:
    ///   - source: Where the rules come from.
    ///   - keys: The keys that clients may come with. Without any, every client is let in.
    ///   - configuration: How the service behaves.
    ///   - log: Where it tells what happens.
    ///   - clock: The time in seconds since 1970, as rules see it.
    package init(
        source: any FlagSource, keys: ClientKeys, configuration: Configuration = Configuration(),
        log: ServiceLog = .silent, clock: @escaping @Sendable () -> Int64
    ) {
        self.source = source
        self.keys = keys
        self.configuration = configuration
        self.log = log
        self.clock = clock
        rules = PublishedRules(eventStreams: Self.eventStreams)
        hub = StreamHub(configuration: configuration.streams, rules: rules, metrics: metrics, clock: clock)
        intake = TelemetryIntake(limits: configuration.telemetry)
        limiter = configuration.requestsPerSecond.map { Lock(RateLimiter(rate: $0)) }
    }

    /// Begins to take rules from the source.
    ///
    /// - Parameter observer: Told of every update after it took effect, on the source's thread.
    package func start(observer: (@Sendable (FlagSourceUpdate) -> Void)? = nil) {
        source.start { [weak self] update in
            self?.take(update)
            observer?(update)
        }
    }

    /// Ends the streams and takes no more rules.
    ///
    /// Requests are still answered, from the last rules.
    package func stop() {
        source.stop()
        hub.close()
    }

    private func take(_ update: FlagSourceUpdate) {
        let changed = rules.take(update)
        switch update {
        case .fault(let fault):
            metrics.sourceFailed()
            let consequence =
                rules.status.flagCount == nil ? "nothing can be served yet" : "the last rules stay in force"
            log.write(.error, "the flag source failed: \(fault); \(consequence)", ("source", source.name))
        case .rules(let rules) where changed:
            hub.rulesChanged()
            log.write(
                .info, "rules in force", ("flags", "\(rules.flags.count)"),
                ("problems", "\(rules.problems.count)"),
                ("rules", "\(rules.fingerprint)"))
            for problem in rules.problems.prefix(20) { log.write(.warning, "flag definition: \(problem)") }
        case .rules:
            log.write(.info, "the flag source is in order; nothing has changed")
        }
    }

    /// Answers a request.
    package func handle(_ request: HTTPRequest) -> HTTPResponse {
        let start = DispatchTime.now().uptimeNanoseconds
        let route = Route(request.method, path: request.path)
        var response = answer(request, route)
        if configuration.cors.isEnabled {
            let headers = configuration.cors.headers(forOrigin: request.header("Origin"))
            response.headers += headers.map { HTTPHeader($0.0, $0.1) }
        }
        let microseconds = (DispatchTime.now().uptimeNanoseconds - start) / 1_000
        metrics.answered(route: route, status: response.status.rawValue, microseconds: microseconds)
        // Asked first, because the fields would be put together for nothing.
        guard log.level <= .debug else { return response }
        log.write(
            .debug, "request", ("method", request.method.rawValue), ("route", route.name),
            ("status", "\(response.status.rawValue)"), ("microseconds", "\(microseconds)"))
        return response
    }

    private func answer(_ request: HTTPRequest, _ route: Route) -> HTTPResponse {
        switch route {
        case .health: return .json(.ok, ["status": "ok"])
        case .readiness: return readiness()
        case .metrics: return metricsText()
        case .index: return index()
        case .unknown:
            return .refusal(
                .notFound, "there is nothing at this path; flags are at POST /ofrep/v1/evaluate/flags")
        case .wrongMethod where request.method == .options:
            return preflight(request)
        case .wrongMethod(let allowed):
            let headers = [HTTPHeader("Allow", allowed)]
            return .refusal(.methodNotAllowed, "use \(allowed) here", headers: headers)
        case .malformed:
            return .refusal(
                .badRequest, "the flag key in the path is not properly percent-encoded", code: .general)
        case .bulkEvaluation, .singleEvaluation, .evaluationStream, .noticeStream, .telemetry:
            return forClients(request, route)
        }
    }

    /// What needs a key, where there are keys, and counts towards the rate.
    private func forClients(_ request: HTTPRequest, _ route: Route) -> HTTPResponse {
        let keyID: ClientKeys.ID?
        switch admission(of: request, route) {
        case .refused(let response): return response
        case .admitted(let id): keyID = id
        }
        if let limiter {
            let caller = keyID?.description ?? request.remoteAddress
            let now = Double(DispatchTime.now().uptimeNanoseconds) / 1e9
            if let seconds = limiter.withLock({ $0.refusal(for: caller, now: now) }) {
                let headers = [HTTPHeader("Retry-After", "\(seconds)")]
                return .refusal(
                    .tooManyRequests, "too many requests; try again in \(seconds) s", headers: headers)
            }
        }
        return route == .telemetry ? telemetry(request, keyID: keyID) : flags(request, route, keyID)
    }

    private func flags(_ request: HTTPRequest, _ route: Route, _ keyID: ClientKeys.ID?) -> HTTPResponse {
        let selector: FlagSelector
        do throws(FlagSelector.Refusal) {
            selector = try FlagSelector(header: request.header("Flagd-Selector"), sourceName: source.name)
        } catch {
            return .refusal(.badRequest, error.details, code: .general)
        }
        guard let view = rules.view(as: FlagView.Identity(selector: selector, keyID: keyID)) else {
            let headers = [HTTPHeader("Retry-After", "5")]
            return .refusal(
                .serviceUnavailable, "no flags have been loaded yet", code: .general, headers: headers)
        }
        switch route {
        case .noticeStream: return noticeStream(view)
        case .singleEvaluation(let key): return singleEvaluation(request, key, view)
        case .evaluationStream: return evaluationStream(request, view)
        default: return bulkEvaluation(request, view)
        }
    }
}
