import FaultProxy
import FlagLocking
import Foundation
import HTTPServer
import Testing

/// The proxy on real sockets, in front of a real server.
@Suite(.timeLimit(.minutes(1))) struct FaultProxyTests {
    private func withProxy(
        _ rules: [FaultRule] = [], _ body: (FaultProxy) async throws -> Void
    ) async throws {
        let server = try HTTPServer.start { request in
            .text(.ok, String(decoding: request.body, as: UTF8.self))
        }
        let proxy = try FaultProxy(servicePort: server.port, rules: rules)
        do { try await body(proxy) } catch { Issue.record(error) }
        await proxy.stop()
        await server.shutdown(grace: 0)
    }

    private func request(_ body: String) -> String {
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test func passesExchangesOnAndCountsThem() async throws {
        try await withProxy { proxy in
            let connection = try await RawConnection.open(proxy.port)
            for number in 0..<3 {
                await connection.send(request("hello \(number)"))
                let answer = await connection.read(until: "hello \(number)")
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            }
            #expect(proxy.counts.accepted == 1)
            #expect(proxy.counts.open == 1)
            #expect(proxy.counts.requests == 3)
            #expect(proxy.records.map(\.request.path) == ["/echo", "/echo", "/echo"])
            #expect(proxy.counts.bytesToService == 3 * request("hello 0").utf8.count)
            connection.close()
            await proxy.wait { $0.open == 0 }
            #expect(proxy.counts.bytesToClients > 0)
        }
    }

    @Test func cutsInOrderAndByReset() async throws {
        try await withProxy([
            FaultRule(.cut(at: .content(2), .finish), times: 1), FaultRule(.cut(at: .content(2), .reset)),
        ]) { proxy in
            for expected in [RawConnection.End.finish, .reset] {
                let connection = try await RawConnection.open(proxy.port)
                await connection.send(request("hello"))
                let (text, end) = await connection.readToEnd()
                #expect(text.hasSuffix("\r\n\r\nhe"))
                #expect(end == expected)
                connection.close()
            }
        }
    }

    @Test func refusesByResetAndByClosedPort() async throws {
        try await withProxy([FaultRule(.refuse, times: 1)]) { proxy in
            let refused = try await RawConnection.open(proxy.port)
            #expect(await refused.readToEnd().end == .reset)
            refused.close()
            let open = try await RawConnection.open(proxy.port)
            await open.send(request("1"))
            _ = await open.read(until: "1")
            await proxy.closePort()
            await #expect(throws: RawConnection.Refused.self) { _ = try await RawConnection.open(proxy.port) }
            // What was open before goes on.
            await open.send(request("22"))
            _ = await open.read(until: "22")
            await proxy.openPort()
            let again = try await RawConnection.open(proxy.port)
            await again.send(request("333"))
            _ = await again.read(until: "333")
            again.close()
            open.close()
        }
    }

    @Test func answersOutOfOrder() async throws {
        try await withProxy([FaultRule(.hold(at: .start, gate: "first"), bodyText: "first")]) { proxy in
            let first = try await RawConnection.open(proxy.port)
            let second = try await RawConnection.open(proxy.port)
            await first.send(request("first"))
            await proxy.wait { $0.requests == 1 }
            await second.send(request("second"))
            _ = await second.read(until: "second")
            #expect(proxy.records.map(\.connection) == [0, 1])
            await proxy.release("first")
            _ = await first.read(until: "first")
            first.close()
            second.close()
        }
    }

    @Test func dripsAndLifts() async throws {
        try await withProxy([FaultRule(.drip(at: .start, bytes: 1, every: 3600))]) { proxy in
            let connection = try await RawConnection.open(proxy.port)
            await connection.send(request("hello"))
            #expect(await connection.read(until: "H") == "H")
            await proxy.lift()
            #expect(await connection.read(until: "hello").hasPrefix("TTP/1.1 200"))
            connection.close()
        }
    }

    @Test func cutsWhatIsOpen() async throws {
        try await withProxy { proxy in
            let connection = try await RawConnection.open(proxy.port)
            await connection.send(request("hello"))
            _ = await connection.read(until: "hello")
            await proxy.cutConnections(.reset, path: "/other")
            #expect(proxy.counts.open == 1)
            await proxy.cutConnections(.reset, path: "/echo")
            #expect(await connection.readToEnd().end == .reset)
            connection.close()
        }
    }

    @Test func serviceThatIsAwayResetsItsClients() async throws {
        let server = try HTTPServer.start { _ in .text(.ok, "") }
        let proxy = try FaultProxy(servicePort: server.port)
        await server.shutdown(grace: 0)
        let connection = try await RawConnection.open(proxy.port)
        await connection.send(request("hello"))
        #expect(await connection.readToEnd() == ("", .reset))
        connection.close()
        await proxy.stop()
    }

    @Test func stopClosesEverythingAndLetsWaitersGo() async throws {
        try await withProxy([FaultRule(.hold(at: .start, gate: "never"))]) { proxy in
            let connection = try await RawConnection.open(proxy.port)
            await connection.send(request("hello"))
            await proxy.wait { $0.requests == 1 }
            async let waiting: Void = proxy.wait { _ in false }
            await proxy.stop()
            await waiting
            #expect(await connection.readToEnd().text == "")
            await #expect(throws: RawConnection.Refused.self) { _ = try await RawConnection.open(proxy.port) }
            await proxy.stop()
            await proxy.lift()
            connection.close()
        }
    }

    @Test func carriesManyConnectionsAndMuchData() async throws {
        try await withProxy { proxy in
            let body = String(repeating: "0123456789abcdef", count: 8_000)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let connection = try await RawConnection.open(proxy.port)
                        await connection.send(request(body + "end \(number)"))
                        let answer = await connection.read(until: "end \(number)")
                        #expect(answer.utf8.count > body.utf8.count)
                        connection.close()
                    }
                }
                try await group.waitForAll()
            }
            await proxy.wait { $0.open == 0 }
            #expect(proxy.counts.accepted == 8)
        }
    }
}
