import FlagModel
package import HTTPServer

extension FlagService {
    /// `GET /readyz`: 200 as long as flags can be evaluated, also from the last rules while the source fails.
    func readiness() -> HTTPResponse {
        let status = rules.status
        let source: FlagValue = status.fault == nil ? "ok" : "failing"
        guard let flagCount = status.flagCount, let fingerprint = status.fingerprint else {
            return .json(.serviceUnavailable, ["status": "not ready", "source": source])
        }
        return .json(
            .ok,
            [
                "status": "ready", "source": source, "flags": .int(Int64(flagCount)),
                "rules": .string(fingerprint.description),
            ])
    }

    /// `GET /metrics`.
    func metricsText() -> HTTPResponse {
        var metrics = MetricsText(counts: metrics.counts, status: rules.status, openStreams: hub.count)
        metrics.add(intake.counts)
        return HTTPResponse(
            .ok, contentType: "text/plain; version=0.0.4; charset=utf-8", bytes: Array(metrics.text.utf8))
    }

    /// `GET /`: says what this is to someone who opens it in a browser.
    func index() -> HTTPResponse {
        .text(
            .ok,
            """
            Flagstaff flag service

            POST /ofrep/v1/evaluate/flags        all flags for a context
            POST /ofrep/v1/evaluate/flags/{key}  one flag
            POST /flagstaff/v1/evaluations       all flags, and every change as it happens (event stream)
            GET  /ofrep/v1/events                notices to fetch again (event stream)
            POST /api/v1/telemetry               reports of clients
            GET  /healthz, /readyz, /metrics     operation

            """)
    }

    /// The answer in place of what the HTTP server refuses by itself, in OFREP's form.
    ///
    /// The origin of such a request is not known, so with several allowed origins a page cannot read the answer.
    package func errorResponse(for status: HTTPStatus) -> HTTPResponse {
        let details =
            switch status {
            case .contentTooLarge: "request body too large"
            case .headerFieldsTooLarge: "the request's header is too large"
            case .requestTimeout: "the request did not arrive in time"
            case .badRequest: "the request is not valid HTTP"
            case .serviceUnavailable: "the service has too many connections; try again later"
            default: "the request was refused (\(status.rawValue))"
            }
        let headers = configuration.cors.headersForAnyOrigin.map { HTTPHeader($0.0, $0.1) }
        return .refusal(status, details, headers: headers)
    }
}
