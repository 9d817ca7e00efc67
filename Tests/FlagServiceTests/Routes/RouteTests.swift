import HTTPServer
import Testing

@testable import FlagService

@Suite struct RouteTests {
    @Test(arguments: [
        ("POST", "/ofrep/v1/evaluate/flags", Route.bulkEvaluation),
        ("POST", "/ofrep/v1/evaluate/flags/", .bulkEvaluation),
        ("POST", "/ofrep/v1/evaluate/flags/a", .singleEvaluation(key: "a")),
        ("POST", "/ofrep/v1/evaluate/flags/a%2Fb", .singleEvaluation(key: "a/b")),
        ("POST", "/ofrep/v1/evaluate/flags/%E6%97%A5%20%2B+", .singleEvaluation(key: "日 ++")),
        ("POST", "/ofrep/v1/evaluate/flags/a%00", .singleEvaluation(key: "a\0")),
        ("POST", "/ofrep/v1/evaluate/flags/a%zz", .malformed),
        ("POST", "/ofrep/v1/evaluate/flags/%ff", .malformed),
        ("POST", "/ofrep/v1/evaluate/flags/a/b", .unknown),
        ("POST", "/ofrep/v1/evaluate/flagsa", .unknown),
        ("GET", "/ofrep/v1/evaluate/flags", .wrongMethod(allowed: "POST")),
        ("GET", "/ofrep/v1/evaluate/flags/a", .wrongMethod(allowed: "POST")),
        ("POST", "/flagstaff/v1/evaluations", .evaluationStream),
        ("GET", "/ofrep/v1/events", .noticeStream),
        ("POST", "/ofrep/v1/events", .wrongMethod(allowed: "GET")),
        ("POST", "/api/v1/telemetry", .telemetry),
        ("GET", "/healthz", .health), ("GET", "/readyz", .readiness), ("GET", "/metrics", .metrics),
        ("GET", "/", .index), ("GET", "/nothing", .unknown), ("GET", "", .unknown),
    ])
    func readsMethodAndPath(method: String, path: String, route: Route) {
        #expect(Route(HTTPMethod(rawValue: method), path: path) == route)
    }

    @Test func namesNoFlagKeyInMetricsAndLogs() {
        #expect(Route(.post, path: "/ofrep/v1/evaluate/flags/secret").name == "single")
    }
}
