import FlagLocking
import Flagstaff
import Foundation

extension FlagTransportConformance {
    static var requestChecks: [Check] {
        [
            Check("a request arrives as it was given") { run in
                let received = Lock<[ConformanceRequest]>([])
                run.server.answer("/arrives") { request, connection in
                    received.withLock { $0.append(request) }
                    connection.answer(200)
                }
                let headers = ["Authorization": "Bearer key", "If-None-Match": "\"e1\""]
                let body = Array(#"{"context":{"name":"Åse"}}"#.utf8)
                _ = try await run.send(
                    run.request("/arrives?flagConfigEtag=%2B%22", headers: headers, body: body)
                ).answer()
                _ = try await run.send(run.request("/arrives", method: "GET")).answer()
                let requests = received.withLock { $0 }
                guard requests.count == 2 else {
                    return run.fail("\(requests.count) requests arrived, not 2")
                }
                run.expect(requests[0].method == "POST", "the method arrived as \(requests[0].method)")
                let target = requests[0].target
                // A query is kept in its encoding by those that have one.
                run.expect(target.hasPrefix("/arrives?flagConfigEtag="), "the address arrived as \(target)")
                for (name, value) in headers {
                    let arrived = requests[0].headers[name.lowercased()]
                    run.expect(arrived == value, "the header \(name) arrived as \(arrived ?? "nothing")")
                }
                run.expect(requests[0].body == body, "the body arrived changed")
                run.expect(requests[1].method == "GET", "the method arrived as \(requests[1].method)")
                run.expect(requests[1].body.isEmpty, "a request without a body arrived with one")
            },
            Check("every status is handed over, with its headers by names in lower case") { run in
                for status in [200, 204, 301, 304, 400, 401, 403, 404, 413, 429, 500, 503] {
                    run.server.answer("/status-\(status)") { _, connection in
                        connection.answer(
                            status, ["Retry-After": "7", "ETAG": "\"e2\"", "Location": "/elsewhere"])
                    }
                    let answer = try await run.send(run.request("/status-\(status)")).answer()
                    run.expect(
                        answer.head.status == status, "\(status) was handed over as \(answer.head.status)")
                    run.expect(answer.head.headers["retry-after"] == "7", "Retry-After is missing")
                    run.expect(answer.head.headers["etag"] == "\"e2\"", "ETag is missing")
                }
            },
            Check("large bodies are carried both ways") { run in
                let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
                run.server.answer("/large") { request, connection in
                    connection.answer(200, ["Content-Type": "application/octet-stream"], request.body)
                }
                let answer = try await run.send(run.request("/large", body: large)).answer()
                run.expect(
                    answer.body == large, "\(large.count) bytes came back as \(answer.body.count) others")
            },
            Check("answers are not mixed up, in whatever order they come") { run in
                let count = 4
                let meeting = Meeting(of: count)
                run.server.answer("/apart") { request, connection in
                    meeting.join()
                    connection.answer(200, [:], request.body)
                }
                let calls = (0..<count).map {
                    run.send(run.request("/apart", body: Array("call \($0)".utf8)))
                }
                for (number, call) in calls.enumerated() {
                    let body = try await call.answer().body
                    run.expect(body == Array("call \(number)".utf8), "call \(number) got another's answer")
                }
            },
            Check("a redirect is handed over and not followed") { run in
                let followed = Lock(false)
                run.server.answer("/elsewhere") { _, connection in
                    followed.withLock { $0 = true }
                    connection.answer(200)
                }
                let location = run.request("/elsewhere").url.absoluteString
                run.server.answer("/redirect") { _, connection in
                    connection.answer(302, ["Location": location])
                }
                let answer = try await run.send(run.request("/redirect")).answer()
                run.expect(answer.head.status == 302, "the status is \(answer.head.status)")
                run.expect(!followed.withLock { $0 }, "the key was shown elsewhere")
            },
            Check("an unreachable service is a fault of the network") { run in
                let error = try await run.send(run.request("/", isReachable: false)).end()
                run.expect(error?.kind == .network, "it is \(error.map { "\($0)" } ?? "an answer")")
            },
            Check("a connection that breaks within an answer is a fault of the network") { run in
                run.server.answer("/broken") { _, connection in
                    connection.start(200, ["Content-Type": "application/json"])
                    connection.send(Array(#"{"flags":["#.utf8))
                    connection.cut()
                }
                let error = try await run.send(run.request("/broken")).end()
                run.expect(error?.kind == .network, "it is \(error.map { "\($0)" } ?? "an answer")")
            },
            Check("silence beyond the limit is a time-out") { run in
                run.server.answer("/silent") { _, connection in connection.waitForEnd() }
                let error = try await run.send(run.request("/silent", idleTimeout: run.shortTimeout)).end()
                run.expect(error?.kind == .timedOut, "it is \(error.map { "\($0)" } ?? "an answer")")
            },
        ]
    }
}

/// Where threads wait for each other.
private struct Meeting: Sendable {
    private let count: Int
    private let arrived = Lock(0)
    private let isComplete = DispatchSemaphore(value: 0)

    init(of count: Int) {
        self.count = count
    }

    /// Waits until all are here, or for so long that some will not come.
    func join() {
        let isLast = arrived.withLock { arrived in
            arrived += 1
            return arrived == count
        }
        if isLast { for _ in 0..<count { isComplete.signal() } }
        _ = isComplete.wait(timeout: .now() + 30)
    }
}
