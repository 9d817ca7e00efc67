import HTTPServer

/// What a request asks for, by method and path.
enum Route: Hashable {
    case bulkEvaluation
    case singleEvaluation(key: String)
    case evaluationStream
    case noticeStream
    case telemetry
    case health
    case readiness
    case metrics
    case index
    /// A path that exists, with another method than these.
    case wrongMethod(allowed: String)
    /// A path that is not properly encoded.
    case malformed
    case unknown

    /// The path of the stream of evaluations.
    static let evaluationStreamPath = "/flagstaff/v1/evaluations"
    /// The path of the telemetry intake.
    static let telemetryPath = "/api/v1/telemetry"
    /// The path of the standard's notices.
    static let noticeStreamPath = "/ofrep/v1/events"
    private static let bulkPath = "/ofrep/v1/evaluate/flags"

    /// Reads method and path; the path is still percent-encoded, so that an encoded slash belongs to a flag's key.
    init(_ method: HTTPMethod, path: String) {
        guard let (route, allowed) = Self.resource(path) else {
            self = .unknown
            return
        }
        self = method == allowed ? route : .wrongMethod(allowed: allowed.rawValue)
    }

    private static func resource(_ path: String) -> (Route, HTTPMethod)? {
        switch path {
        case bulkPath, bulkPath + "/": return (.bulkEvaluation, .post)
        case evaluationStreamPath: return (.evaluationStream, .post)
        case noticeStreamPath: return (.noticeStream, .get)
        case telemetryPath: return (.telemetry, .post)
        case "/healthz": return (.health, .get)
        case "/readyz": return (.readiness, .get)
        case "/metrics": return (.metrics, .get)
        case "/": return (.index, .get)
        default:
            guard path.utf8.starts(with: (bulkPath + "/").utf8) else { return nil }
            let segment = path.utf8.dropFirst(bulkPath.utf8.count + 1)
            if segment.contains(UInt8(ascii: "/")) { return nil }
            guard let key = PercentEncoding.decode(segment: Substring(segment)) else {
                return (.malformed, .post)
            }
            return (.singleEvaluation(key: key), .post)
        }
    }

    /// The methods that the path allows, for a preflight request; empty for an unknown path.
    static func allowedMethods(path: String) -> [String] {
        resource(path).map { [$0.1.rawValue, "OPTIONS"] } ?? []
    }

    /// The route's name in metrics and logs: never a flag's key.
    var name: String {
        switch self {
        case .bulkEvaluation: "bulk"
        case .singleEvaluation: "single"
        case .evaluationStream: "evaluation-stream"
        case .noticeStream: "notice-stream"
        case .telemetry: "telemetry"
        case .health: "healthz"
        case .readiness: "readyz"
        case .metrics: "metrics"
        case .index: "index"
        case .wrongMethod, .malformed, .unknown: "other"
        }
    }
}
