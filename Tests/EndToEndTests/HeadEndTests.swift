import FaultProxy
import FlagModel
import Foundation
import Testing

/// A connection that ends in order within the head of an answer.
///
/// On Linux, Foundation 6.3 ends the process then: "Transfer completed, but there's no response"
/// (NativeProtocol.swift). It takes three things: the status line has arrived with its line end; the connection is
/// closed in order, not reset; and no line of the head has said how long the body is, so that the end looks like that
/// of the body. No code above can prevent it. These tests hold what is so; when one that expects the end of the
/// process fails, Foundation has been mended: then the places belong into `StartFaultTests`, and the limit out of the
/// README.
@Suite(.timeLimit(.minutes(1))) struct HeadEndTests {
    private static let status = "HTTP/1.1 200 OK\r\n"
    private static let type = "Content-Type: application/json\r\n"
    private static let length = "Content-Length: 100\r\n"

    private func run(_ head: String, then ending: Fault.Ending) async throws -> ChildProcess.Exit {
        let proxy = try FaultProxy(
            servicePort: 9, rules: [FaultRule(.answer(Array(head.utf8), then: ending))])
        let child = try ChildProcess(["start", proxy.url])
        let exit = await child.waitForExit()
        await proxy.stop()
        return exit
    }

    @Test(arguments: [
        "", "HTTP/1.1", "HTTP/1.1 200 OK\r", status + length, status + length + type,
        status + length + "\r\n",
        status + "Transfer-Encoding: chunked\r\n" + type,
    ])
    func clientSurvivesTheEnd(head: String) async throws {
        #expect(try await run(head, then: .finish) == .status(0))
    }

    @Test(arguments: [status, status + type, status + type + "\r\n", status + type + length])
    func clientSurvivesAReset(head: String) async throws {
        #expect(try await run(head, then: .reset) == .status(0))
    }

    @Test(arguments: [status, status + "Con", status + type, status + type + "Content-Length: 100"])
    func foundationEndsTheProcess(head: String) async throws {
        let exit = try await run(head, then: .finish)
        #if canImport(FoundationNetworking)
            guard case .signal = exit else {
                Issue.record("Foundation is mended: \(exit) after \(head.debugDescription)")
                return
            }
        #else
            #expect(exit == .status(0))
        #endif
    }
}
