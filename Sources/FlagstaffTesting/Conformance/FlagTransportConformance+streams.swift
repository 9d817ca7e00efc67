import FlagLocking
import Flagstaff
import Foundation

extension FlagTransportConformance {
    static var streamChecks: [Check] {
        [
            Check("a stream is delivered from its head to its end, in order") { run in
                let pieces = (0..<200).map { number in
                    Array("data: \(number) ä \(String(repeating: "x", count: number * 7))\n\n".utf8)
                }
                run.server.answer("/ordered") { _, connection in
                    connection.start(200, eventStream)
                    for piece in pieces { connection.send(piece) }
                    connection.end()
                }
                let stream = run.open(run.request("/ordered"))
                let error = try await stream.end()
                run.expect(error == nil, "a proper end was told as \(error.map { "\($0)" } ?? "none")")
                if case .signal(.head(let head)) = stream.reports.first {
                    run.expect(head.status == 200, "the status is \(head.status)")
                    let type = head.headers["content-type"]
                    run.expect(type == "text/event-stream", "the type is \(type ?? "missing")")
                } else {
                    run.fail("the head was not the first to be told")
                }
                run.expect(stream.bytes == pieces.flatMap { $0 }, "the bytes are not those that were sent")
            },
            Check("what arrives on a stream is delivered before more does") { run in
                let goAhead = DispatchSemaphore(value: 0)
                // Libraries that guess the type of a body may keep its first 512 bytes back.
                let first = Array((":" + String(repeating: " ", count: 2048) + "\n").utf8)
                run.server.answer("/live") { _, connection in
                    connection.start(200, eventStream)
                    connection.send(first)
                    for number in 0..<3 {
                        _ = goAhead.wait(timeout: .now() + 30)
                        connection.send(Array("data: \(number)\n\n".utf8))
                    }
                    connection.waitForEnd()
                }
                let stream = run.open(run.request("/live"))
                _ = try await stream.head()
                var expected = first
                _ = try await stream.bytes(expected.count)
                for number in 0..<3 {
                    expected += Array("data: \(number)\n\n".utf8)
                    goAhead.signal()
                    let bytes = try await stream.bytes(expected.count)
                    run.expect(bytes == expected, "message \(number) arrived changed")
                }
            },
            Check("a stream that breaks ends with an error") { run in
                run.server.answer("/breaks") { _, connection in
                    connection.start(200, eventStream)
                    connection.send(Array("data: 1\n\n".utf8))
                    connection.cut()
                }
                let error = try await run.open(run.request("/breaks")).end()
                run.expect(error?.kind == .network, "it ended with \(error.map { "\($0)" } ?? "no error")")
            },
            Check("a stream that is refused has a head and an end") { run in
                run.server.answer("/refused") { _, connection in connection.answer(503, ["Retry-After": "3"])
                }
                let stream = run.open(run.request("/refused"))
                try await stream.end()
                let head = try await stream.head()
                run.expect(head.status == 503, "the status is \(head.status)")
                run.expect(head.headers["retry-after"] == "3", "Retry-After is missing")
            },
            Check("a silent stream ends at its limit") { run in
                run.server.answer("/quiet") { _, connection in
                    connection.start(200, eventStream)
                    connection.send(Array((":" + String(repeating: " ", count: 2048) + "\n").utf8))
                    connection.waitForEnd()
                }
                let error = try await run.open(run.request("/quiet", idleTimeout: run.shortTimeout)).end()
                run.expect(error?.kind == .timedOut, "it ended with \(error.map { "\($0)" } ?? "no error")")
            },
            Check("several streams and requests go on side by side") { run in
                run.server.answer("/beside") { _, connection in
                    connection.start(200, eventStream)
                    connection.send(Array((":" + String(repeating: " ", count: 2048) + "\n").utf8))
                    connection.waitForEnd()
                }
                run.server.answer("/meanwhile") { _, connection in connection.answer(200) }
                // As many as a client can have open.
                let streams = (0..<8).map { _ in run.open(run.request("/beside")) }
                for stream in streams { _ = try await stream.bytes(2048) }
                let status = try await run.send(run.request("/meanwhile")).answer().head.status
                run.expect(status == 200, "the status is \(status)")
                run.expect(streams.allSatisfy { !$0.reports.contains(where: \.isEnd) }, "a stream has ended")
            },
        ]
    }

    static let eventStream = ["Content-Type": "text/event-stream"]
}
