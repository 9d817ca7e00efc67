import FlagEvaluation
import FlagLocking
import FlagModel
import FlagStore
import HTTPServer
import Testing

@testable import FlagService

/// The service without a network: requests in, answers out.
@Suite struct FlagServiceTests {
    private let source = ManualSource()

    private func service(
        keys: [String] = [], configuration: FlagService.Configuration = FlagService.Configuration(),
        flags: FlagValue? = standardFlags, log: ServiceLog = .silent
    ) throws -> FlagService {
        let service = FlagService(
            source: source, keys: try ClientKeys(keys), configuration: configuration, log: log,
            clock: { 1_700_000_000 })
        service.start()
        if let flags { try source.publish(flags) }
        return service
    }

    private static let standardFlags: FlagValue = [
        "flags": [
            "banner": Sample.constant(["red": "#f00"], default: "red"), "checkout": Sample.onForPlan("pro"),
            "off": ["state": "DISABLED", "variants": ["on": true], "defaultVariant": "on"],
            "open": ["state": "ENABLED", "variants": ["on": true], "defaultVariant": nil],
            "broken": [
                "state": "ENABLED", "variants": ["on": true], "defaultVariant": "on",
                "targeting": ["if": [true, "nope"]],
            ],
            "a/b c": Sample.constant(["on": true], default: "on"),
        ],
        "metadata": ["team": "shop"],
    ]

    private func post(
        _ service: FlagService, _ path: String, _ body: String = "", headers: [HTTPHeader] = []
    ) -> (status: Int, body: FlagValue?, headers: [HTTPHeader], bytes: [UInt8]) {
        let response = service.handle(HTTPRequest(.post, path, headers: headers, body: Array(body.utf8)))
        var bytes: [UInt8] = []
        if case .bytes(let content) = response.body { bytes = content }
        return (response.status.rawValue, try? JSONParser.parse(bytes), response.headers, bytes)
    }

    private func value(of name: String, in headers: [HTTPHeader]) -> String? {
        headers.first { $0.isNamed(name) }?.value
    }

    private static let bulk = "/ofrep/v1/evaluate/flags"

    // MARK: Bulk

    @Test func evaluatesAllFlags() throws {
        let answer = post(try service(), Self.bulk, #"{"context":{"targetingKey":"u","plan":"pro"}}"#)
        #expect(answer.status == 200)
        let evaluation = try #require(answer.body.flatMap(BulkEvaluation.init(_:)))
        let byKey = Dictionary(uniqueKeysWithValues: evaluation.flags.map { ($0.key, $0) })
        #expect(byKey["banner"]?.value == "#f00")
        #expect(byKey["banner"]?.reason == .static)
        #expect(byKey["checkout"]?.value == true)
        #expect(byKey["checkout"]?.reason == .targetingMatch)
        #expect(byKey["off"]?.reason == .disabled)
        #expect(byKey["off"]?.value == nil)
        #expect(byKey["open"]?.reason == .default)
        #expect(byKey["broken"]?.errorCode == .general)
        #expect(byKey["banner"]?.metadata == ["team": "shop"])
        #expect(evaluation.metadata == ["team": "shop"])
        #expect(value(of: "Content-Type", in: answer.headers) == "application/json")
    }

    @Test func announcesBothStreams() throws {
        let answer = post(try service(), Self.bulk)
        let streams = try #require(answer.body.flatMap(BulkEvaluation.init(_:))?.eventStreams)
        #expect(streams.map(\.type) == ["sse", "flagstaff.evaluations"])
        #expect(
            streams.map { $0.url(serviceOrigin: "http://h") } == [
                "http://h/ofrep/v1/events", "http://h/flagstaff/v1/evaluations",
            ])
    }

    @Test(arguments: [
        "", "{}", #"{"context":null}"#, #"{"context":[1]}"#, #"{"context":{}}"#,
        #"{"context":{"targetingKey":7}}"#,
        #"{"context":{"targetingKey":null}}"#, #"{"context":{"targetingKey":{"a":[]}},"more":1}"#,
    ])
    func acceptsAnyTargetingKeyOrNone(body: String) throws {
        #expect(post(try service(), Self.bulk, body).status == 200)
    }

    @Test(arguments: ["{", "[]", "7", "\"x\"", #"{"context":{"a":1e999}}"#, #"{"context":{"a":"\#u{1}"}}"#])
    func refusesABodyThatIsNoContext(body: String) throws {
        let answer = post(try service(), Self.bulk, body)
        #expect(answer.status == 400)
        #expect(answer.body?["errorCode"] == "INVALID_CONTEXT")
        #expect(answer.body?["errorDetails"]?.stringValue?.isEmpty == false)
        #expect(answer.body?["key"] == nil)
    }

    @Test func refusesAContextThatIsThousandDeep() throws {
        let deep = String(repeating: "{\"a\":", count: 1_000) + "1" + String(repeating: "}", count: 1_000)
        let answer = post(try service(), Self.bulk, "{\"context\":\(deep)}")
        #expect(answer.status == 400)
        #expect(answer.body?["errorDetails"]?.stringValue?.contains("nested deeper") == true)
    }

    @Test func answersNotModifiedToItsOwnETag() throws {
        let service = try service()
        let body = #"{"context":{"plan":"pro"}}"#
        let etag = try #require(value(of: "ETag", in: post(service, Self.bulk, body).headers))
        let same = post(service, Self.bulk, body, headers: [HTTPHeader("if-none-match", etag)])
        #expect(same.status == 304)
        #expect(same.bytes.isEmpty)
        #expect(value(of: "ETag", in: same.headers) == etag)
        let other = post(
            service, Self.bulk, #"{"context":{"plan":"free"}}"#, headers: [HTTPHeader("If-None-Match", etag)])
        #expect(other.status == 200)
        try source.publish(["flags": ["banner": Sample.constant(["red": "#f01"], default: "red")]])
        #expect(post(service, Self.bulk, body, headers: [HTTPHeader("If-None-Match", etag)]).status == 200)
        try source.publish(Self.standardFlags)
        #expect(post(service, Self.bulk, body, headers: [HTTPHeader("If-None-Match", etag)]).status == 304)
    }

    // MARK: Single

    @Test(
        arguments: [
            ("banner", 200, "STATIC", nil), ("checkout", 200, "TARGETING_MATCH", nil),
            ("off", 200, "DISABLED", nil),
            ("open", 200, "DEFAULT", nil), ("a%2Fb%20c", 200, "STATIC", nil), ("broken", 400, nil, "GENERAL"),
            ("nothing", 404, nil, "FLAG_NOT_FOUND"),
        ] as [(String, Int, String?, String?)])
    func evaluatesOneFlag(path: String, status: Int, reason: String?, code: String?) throws {
        let answer = post(try service(), Self.bulk + "/" + path, #"{"context":{}}"#)
        #expect(answer.status == status)
        #expect(answer.body?["reason"]?.stringValue == reason)
        #expect(answer.body?["errorCode"]?.stringValue == code)
        #expect(answer.body?["key"]?.stringValue == PercentEncoding.decode(segment: path))
        #expect(answer.body?["metadata"] != nil)
    }

    @Test func saysWhichFlagABadContextWasFor() throws {
        let answer = post(try service(), Self.bulk + "/banner", "{")
        #expect(answer.status == 400)
        #expect(answer.body?["key"] == "banner")
        #expect(answer.body?["errorCode"] == "INVALID_CONTEXT")
    }

    // MARK: Selectors, keys, limits

    @Test func refusesAnUnknownSelector() throws {
        let answer = post(try service(), Self.bulk, headers: [HTTPHeader("Flagd-Selector", "team=shop")])
        #expect(answer.status == 400)
        #expect(answer.body?["errorCode"] == "GENERAL")
    }

    @Test func givesNoFlagsForASetThatIsNotThere() throws {
        let answer = post(try service(), Self.bulk, headers: [HTTPHeader("Flagd-Selector", "flagSetId=none")])
        #expect(answer.status == 200)
        #expect(answer.body?["flags"] == [])
    }

    @Test func givesTheFlagsOfSeveralSets() throws {
        let service = try service(flags: ["flags": .object(Sample.inSets(["a": "x", "b": "y", "c": "z"]))])
        let bulk = { (selector: String) in
            self.post(service, Self.bulk, headers: [HTTPHeader("Flagd-Selector", selector)])
        }
        let answer = bulk("flagSetId=x, z,none")
        let evaluation = try #require(answer.body.flatMap(BulkEvaluation.init(_:)))
        #expect(evaluation.flags.map(\.key) == ["a", "c"])
        let etag = value(of: "ETag", in: answer.headers)
        #expect(etag == value(of: "ETag", in: bulk("flagSetId=none,z,x").headers))
        #expect(etag != value(of: "ETag", in: bulk("flagSetId=x,y").headers))
        let headers = [HTTPHeader("Flagd-Selector", "flagSetId=x,z")]
        #expect(post(service, Self.bulk + "/c", headers: headers).status == 200)
        #expect(post(service, Self.bulk + "/b", headers: headers).status == 404)
    }

    @Test func asksForAKeyWhereItHasKeys() throws {
        let service = try service(keys: ["k1", "k2"])
        for path in [Self.bulk, Self.bulk + "/banner", "/flagstaff/v1/evaluations"] {
            let answer = post(service, path)
            #expect(answer.status == 401)
            #expect(value(of: "WWW-Authenticate", in: answer.headers)?.hasPrefix("Bearer") == true)
            #expect(post(service, path, headers: [HTTPHeader("Authorization", "Bearer k3")]).status == 401)
        }
        #expect(post(service, Self.bulk, headers: [HTTPHeader("Authorization", "Bearer k1")]).status == 200)
        #expect(post(service, Self.bulk, headers: [HTTPHeader("X-API-Key", "k2")]).status == 200)
        for path in ["/healthz", "/readyz", "/metrics", "/"] {
            #expect(service.handle(HTTPRequest(.get, path)).status == .ok)
        }
    }

    @Test func admitsToNoticesByTheAnnouncedAddress() throws {
        let service = try service(keys: ["k1"])
        let answer = post(service, Self.bulk, headers: [HTTPHeader("X-API-Key", "k1")])
        let streams = try #require(answer.body.flatMap(BulkEvaluation.init(_:))?.eventStreams)
        let address = streams[0].url(serviceOrigin: "")
        #expect(address.hasPrefix("/ofrep/v1/events?token="))
        #expect(!address.contains("k1"))
        #expect(service.handle(HTTPRequest(.get, address)).status == .ok)
        #expect(service.handle(HTTPRequest(.get, "/ofrep/v1/events?token=guess")).status == .unauthorized)
        #expect(service.handle(HTTPRequest(.get, "/ofrep/v1/events")).status == .unauthorized)
    }

    @Test func givesHoldersOfDifferentKeysDifferentETags() throws {
        let service = try service(keys: ["k1", "k2"])
        let etags = ["k1", "k2"].map { key in
            value(of: "ETag", in: post(service, Self.bulk, headers: [HTTPHeader("X-API-Key", key)]).headers)
        }
        #expect(etags[0] != nil)
        #expect(etags[0] != etags[1])
    }

    @Test func limitsTheRateOfEachCaller() throws {
        let service = try service(configuration: FlagService.Configuration(requestsPerSecond: 0.001))
        #expect(post(service, Self.bulk).status == 200)
        let refused = post(service, Self.bulk)
        #expect(refused.status == 429)
        #expect(value(of: "Retry-After", in: refused.headers).flatMap { Int($0) } ?? 0 >= 1)
        #expect(refused.body?["errorDetails"] != nil)
        #expect(service.handle(HTTPRequest(.get, "/healthz")).status == .ok)
        let elsewhere = HTTPRequest(.post, Self.bulk, remoteAddress: "10.0.0.2")
        #expect(service.handle(elsewhere).status == .ok)
    }

    @Test func keepsNoHugeContextForAStream() throws {
        let service = try service()
        let body = "{\"context\":{\"a\":\"\(String(repeating: "x", count: 70_000))\"}}"
        let refused = post(service, "/flagstaff/v1/evaluations", body)
        #expect(refused.status == 413)
        #expect(refused.body?["errorDetails"]?.stringValue?.contains("65536 bytes") == true)
        #expect(post(service, Self.bulk, body).status == 200)
    }

    @Test func asksClientsBackSoonWhenItEnds() throws {
        let service = try service()
        service.stop()
        let refused = post(service, "/flagstaff/v1/evaluations")
        #expect(refused.status == 503)
        let delay = try #require(value(of: "Retry-After", in: refused.headers).flatMap { Int($0) })
        #expect((1...5).contains(delay))
    }

    // MARK: Readiness

    @Test func isReadyOnlyWhenFlagsCanBeEvaluated() throws {
        let service = try service(flags: nil)
        #expect(service.handle(HTTPRequest(.get, "/healthz")).status == .ok)
        #expect(service.handle(HTTPRequest(.get, "/readyz")).status == .serviceUnavailable)
        let early = post(service, Self.bulk)
        #expect(early.status == 503)
        #expect(value(of: "Retry-After", in: early.headers) != nil)
        try source.publish(["flags": [:]])
        #expect(service.handle(HTTPRequest(.get, "/readyz")).status == .ok)
        #expect(post(service, Self.bulk).status == 200)
    }

    @Test func goesOnWithTheLastRulesWhileTheSourceFails() throws {
        let service = try service()
        source.deliver(.fault(FlagSourceFault("flags.json is gone")))
        #expect(post(service, Self.bulk + "/banner").status == 200)
        let ready = service.handle(HTTPRequest(.get, "/readyz"))
        #expect(ready.status == .ok)
        guard case .bytes(let bytes) = ready.body else { throw FlagSourceFault("no body") }
        #expect(try JSONParser.parse(bytes)["source"] == "failing")
        try source.publish(Self.standardFlags)
        guard case .bytes(let later) = service.handle(HTTPRequest(.get, "/readyz")).body else {
            throw FlagSourceFault("no body")
        }
        #expect(try JSONParser.parse(later)["source"] == "ok")
    }

    // MARK: The rest

    @Test func saysWhatIsWrongWithAnUnknownRouteOrMethod() throws {
        let service = try service()
        #expect(post(service, "/ofrep/v2").status == 404)
        #expect(post(service, "/ofrep/v2").body?["errorDetails"] != nil)
        let wrong = service.handle(HTTPRequest(.get, Self.bulk))
        #expect(wrong.status == .methodNotAllowed)
        #expect(value(of: "Allow", in: wrong.headers) == "POST")
        #expect(post(service, Self.bulk + "/%zz").status == 400)
    }

    @Test func answersPreflightRequests() throws {
        let cors = CORSPolicy(allowedOrigins: ["https://a.example"])
        let service = try service(configuration: FlagService.Configuration(cors: cors))
        let origin = HTTPHeader("Origin", "https://a.example")
        let preflight = service.handle(HTTPRequest("OPTIONS", Self.bulk, headers: [origin]))
        #expect(preflight.status == .noContent)
        #expect(value(of: "Access-Control-Allow-Origin", in: preflight.headers) == "https://a.example")
        #expect(value(of: "Access-Control-Allow-Methods", in: preflight.headers) == "POST, OPTIONS")
        #expect(
            value(of: "Access-Control-Allow-Headers", in: preflight.headers)?.contains("If-None-Match")
                == true)
        let answer = post(service, Self.bulk, headers: [origin])
        #expect(value(of: "Access-Control-Allow-Origin", in: answer.headers) == "https://a.example")
        #expect(value(of: "Access-Control-Expose-Headers", in: answer.headers)?.contains("ETag") == true)
    }

    @Test func countsWhatItAnswers() throws {
        let service = try service()
        for _ in 0..<3 { _ = post(service, Self.bulk) }
        _ = post(service, Self.bulk + "/nothing")
        guard case .bytes(let bytes) = service.handle(HTTPRequest(.get, "/metrics")).body else {
            throw FlagSourceFault("no body")
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        #expect(lines.contains("flagstaff_requests_total{route=\"bulk\",status=\"200\"} 3"))
        #expect(lines.contains("flagstaff_requests_total{route=\"single\",status=\"404\"} 1"))
        #expect(lines.contains("flagstaff_request_duration_seconds_count{route=\"bulk\"} 3"))
        #expect(lines.contains("flagstaff_flags 6"))
        #expect(lines.contains("flagstaff_ready 1"))
        #expect(lines.contains("flagstaff_source_up 1"))
    }

    @Test func writesNoContextAndNoKeyIntoTheLog() throws {
        let lines = Lock<[String]>([])
        let log = ServiceLog(level: .debug) { entry in
            lines.withLock {
                $0.append(entry.message + entry.fields.map { "\($0.name)=\($0.value)" }.joined())
            }
        }
        let service = try service(keys: ["secret-key"], log: log)
        let headers = [HTTPHeader("X-API-Key", "secret-key")]
        _ = post(service, Self.bulk, #"{"context":{"targetingKey":"anna@example.com"}}"#, headers: headers)
        _ = post(
            service, Self.bulk + "/banner", #"{"context":{"targetingKey":"anna@example.com"}}"#,
            headers: headers)
        _ = post(service, Self.bulk, #"{"context":{"targetingKey":"anna@example.com""#, headers: headers)
        let text = lines.withLock { $0.joined(separator: "\n") }
        #expect(text.contains("route=bulk"))
        #expect(!text.contains("anna"))
        #expect(!text.contains("secret-key"))
    }
}
