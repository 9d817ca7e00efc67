import Flagstaff
import Foundation

extension FlagTransportConformance {
    static var endChecks: [Check] {
        [
            Check("what is cut ends once, as cut") { run in
                run.server.answer("/cut") { _, connection in connection.waitForEnd() }
                run.server.answer("/cut-stream") { _, connection in
                    connection.start(200, eventStream)
                    connection.send(Array((":" + String(repeating: " ", count: 2048) + "\n").utf8))
                    connection.waitForEnd()
                }
                let call = run.send(run.request("/cut"))
                let early = run.open(run.request("/cut"))
                let stream = run.open(run.request("/cut-stream"))
                _ = try await stream.bytes(2048)
                for recorder in [call, early, stream] {
                    run.transport.cancel(recorder.id)
                    run.transport.cancel(recorder.id)
                    let error = try await recorder.end()
                    run.expect(
                        error?.kind == .cancelled, "it ended with \(error.map { "\($0)" } ?? "no error")")
                }
            },
            Check("nothing is delivered after a cut in the middle of a stream") { run in
                run.server.answer("/flood") { _, connection in
                    connection.start(200, eventStream)
                    for _ in 0..<400 { connection.send([UInt8](repeating: 0x3A, count: 4096)) }
                    connection.end()
                }
                let transport = run.transport
                let stream = run.open(run.request("/flood")) { recorder, signal in
                    // From within the handler, as a client does.
                    if case .bytes = signal { transport.cancel(recorder.id) }
                }
                let error = try await stream.end()
                // A stream that has arrived as a whole may end as it should.
                run.expect(
                    error == nil || error?.kind == .cancelled, "it ended with \(error.map { "\($0)" } ?? "")")
            },
            Check("cutting what is over, or was never there, does nothing") { run in
                run.server.answer("/over") { _, connection in connection.answer(200) }
                run.transport.cancel(4711)
                let call = run.send(run.request("/over"))
                _ = try await call.answer()
                run.transport.cancel(call.id)
                let status = try await run.send(run.request("/over")).answer().head.status
                run.expect(status == 200, "the next request was cut with it")
            },
            Check("closing cuts everything, and refuses what comes later") { run in
                run.server.answer("/open") { _, connection in connection.waitForEnd() }
                run.server.answer("/open-stream") { _, connection in
                    connection.start(200, eventStream)
                    connection.send(Array((":" + String(repeating: " ", count: 2048) + "\n").utf8))
                    connection.waitForEnd()
                }
                let call = run.send(run.request("/open"))
                let stream = run.open(run.request("/open-stream"))
                _ = try await stream.bytes(2048)
                run.transport.close()
                run.transport.close()
                for recorder in [call, stream] {
                    let error = try await recorder.end()
                    run.expect(
                        error?.kind == .cancelled, "it ended with \(error.map { "\($0)" } ?? "no error")")
                }
                let late = [run.send(run.request("/open")), run.open(run.request("/open-stream"))]
                for recorder in late {
                    let error = try await recorder.end()
                    run.expect(error != nil, "a closed transport went on")
                }
                run.transport.cancel(call.id)
            },
            Check("closing from within a handler does not wait for itself") { run in
                run.server.answer("/last") { _, connection in
                    connection.start(200, eventStream)
                    connection.send(Array((":" + String(repeating: " ", count: 2048) + "\n").utf8))
                    connection.waitForEnd()
                }
                let transport = run.transport
                let stream = run.open(run.request("/last")) { _, signal in
                    if case .bytes = signal { transport.close() }
                }
                let error = try await stream.end()
                run.expect(error?.kind == .cancelled, "it ended with \(error.map { "\($0)" } ?? "no error")")
            },
        ]
    }
}
