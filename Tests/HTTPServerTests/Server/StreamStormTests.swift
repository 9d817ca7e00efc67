import FlagLocking
import Dispatch
import Testing

@testable import HTTPServer

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Many threads doing everything at once: what must not happen is a lost wake-up (a client waits for ever), a
/// second `onClose`, or a call into a connection that is gone (the process aborts).
@Suite(.serialized) struct StreamStormTests {
    @Test func noWakeUpIsLost() async throws {
        let streams = Lock<[String: HTTPStream]>([:])
        try await withServer(handler: { request in
            let stream = HTTPStream()
            streams.withLock { $0[request.path] = stream }
            return HTTPResponse(.ok, body: .stream(stream))
        }) { server in
            let port = server.port
            await concurrently(4) { index in
                let client = try RawClient(port: port)
                try client.request("GET", "/\(index)")
                _ = try client.readHead()
                let stream = streams.withLock { $0["/\(index)"] }
                // Each round ends with the connection about to suspend: exactly when the next write comes.
                for round in 0..<3000 {
                    stream?.write([UInt8(truncatingIfNeeded: round)])
                    guard try client.readChunks(count: 1).count == 1 else { return }
                }
                stream?.finish()
            }
        }
    }

    @Test func openingWritingAndClosingAtOnce() async throws {
        let opened = Lock(0)
        let closed = Lock<[Int: Int]>([:])
        let live = Lock<[Int: HTTPStream]>([:])
        try await withServer(
            { $0.streamBufferLimit = 20_000 },
            handler: { _ in
                let id = opened.withLock { count in
                    count += 1
                    return count
                }
                let stream = HTTPStream { _ in
                    closed.withLock { $0[id, default: 0] += 1 }
                    live.withLock { $0[id] = nil }
                }
                live.withLock { $0[id] = stream }
                stream.write([0])
                return HTTPResponse(.ok, body: .stream(stream))
            }
        ) { server in
            let isOver = Lock(false)
            let broadcast = DispatchGroup()
            for index in 0..<2 {
                DispatchQueue(label: "broadcast.\(index)").async(group: broadcast) {
                    let bytes = [UInt8](repeating: 1, count: 500)
                    var round = 0
                    while !isOver.withLock({ $0 }) {
                        round += 1
                        for (id, stream) in live.withLock({ $0 }) {
                            stream.write(bytes)
                            if (id + round) % 7 == 0 { stream.finish() }
                        }
                        // Leaves something of the processors to the server and to other tests.
                        usleep(100)
                    }
                }
            }
            let port = server.port
            await concurrently(4) { index in
                for round in 0..<60 {
                    let client = try RawClient(port: port)
                    try client.request("GET", "/")
                    switch (round + index) % 4 {
                    case 0: client.close()
                    case 1: client.reset()
                    case 2: _ = try client.readHead()
                    default:
                        _ = try client.readHead()
                        while try client.readChunk() != nil {}
                    }
                }
            }
            isOver.withLock { $0 = true }
            #expect(await eventually { server.connectionCount == 0 })
            await withCheckedContinuation { continuation in
                broadcast.notify(queue: .global()) { continuation.resume() }
            }
        }
        let count = opened.withLock { $0 }
        #expect(count >= 60)
        #expect(closed.withLock { $0 } == Dictionary(uniqueKeysWithValues: (1...count).map { ($0, 1) }))
    }

    @Test(arguments: 0..<5)
    func shuttingDownInTheMiddleOfIt(_ round: Int) async throws {
        let opened = Lock(0)
        let closed = Lock(0)
        let live = Lock<[HTTPStream]>([])
        var configuration = HTTPServer.Configuration()
        configuration.workerThreads = 1 + round % 3
        let server = try HTTPServer.start(configuration) { _ in
            opened.withLock { $0 += 1 }
            let stream = HTTPStream { _ in closed.withLock { $0 += 1 } }
            live.withLock { $0.append(stream) }
            return HTTPResponse(.ok, body: .stream(stream))
        }
        let isOver = Lock(false)
        let port = server.port
        let work = Task.detached {
            await concurrently(4) { index in
                while !isOver.withLock({ $0 }) {
                    if index == 0 {
                        live.withLock { $0 }.forEach { $0.write([1, 2, 3]) }
                        usleep(100)
                        continue
                    }
                    // Refused, cut or answered: all are right while the server stops.
                    guard let client = try? RawClient(port: port) else { continue }
                    try? client.request("GET", "/")
                    _ = try? client.readHead()
                    _ = try? client.readChunk()
                }
            }
        }
        #expect(await eventually { opened.withLock { $0 } > 50 })
        await server.shutdown(grace: round % 2 == 0 ? 0 : 1)
        isOver.withLock { $0 = true }
        await work.value
        live.withLock { $0 = [] }
        #expect(closed.withLock { $0 } == opened.withLock { $0 })
        #expect(server.connectionCount == 0)
    }
}
