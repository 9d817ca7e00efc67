import Dispatch
import FlagLocking
import FlagService
import FlagStore
import Foundation
import HTTPServer

/// A service that runs: a file's rules behind an HTTP server.
final class RunningService: Sendable {
    /// Where clients find it, such as `http://127.0.0.1:8080`.
    let url: String
    private let service: FlagService
    private let server: HTTPServer

    private init(service: FlagService, server: HTTPServer, url: String) {
        self.service = service
        self.server = server
        self.url = url
    }

    /// Reads the flags, then listens.
    ///
    /// - Throws: ``FlagFileError`` when the flags cannot be had, unless the settings say to wait for them;
    ///   ``ClientKeys/Refusal`` and ``HTTPServerError`` for what else is wrong.
    static func start(_ settings: ServiceSettings, log: ServiceLog) async throws -> RunningService {
        let keys = try ClientKeys(settings.clientKeys)
        let source = FileFlagSource(path: settings.flagFile, options: settings.evaluation)
        let service = FlagService(
            source: source, keys: keys, configuration: settings.service, log: log,
            clock: { Int64(Date().timeIntervalSince1970) })

        let fault = await firstFault(of: service)
        do {
            if let fault, !settings.waitsForFlags {
                throw FlagFileError(
                    description: "\(fault). To start and wait for it, use --wait-for-flags")
            }
            let server = try HTTPServer.start(
                settings.server, errorResponse: { service.errorResponse(for: $0) },
                log: { log.write(.warning, "http: \($0)") }, handler: { service.handle($0) })
            if keys.isOpen, !["127.0.0.1", "::1", "localhost"].contains(settings.server.host) {
                log.write(.warning, "no client keys: whoever reaches this address can read all flags")
            }
            let scheme = settings.server.tls == nil ? "http" : "https"
            let url = "\(scheme)://\(host(settings.server.host)):\(server.port)"
            return RunningService(service: service, server: server, url: url)
        } catch {
            await stop(service)
            throw error
        }
    }

    /// Ends streams and requests, and returns when all is over.
    func shutdown() async {
        await Self.stop(service)
        await server.shutdown()
    }

    /// Starts the service, and waits for the first rules; returns what is wrong with them.
    private static func firstFault(of service: FlagService) async -> FlagSourceFault? {
        await withCheckedContinuation { continuation in
            let waiting = Lock<CheckedContinuation<FlagSourceFault?, Never>?>(continuation)
            service.start { update in
                let continuation = waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                switch update {
                case .rules: continuation?.resume(returning: nil)
                case .fault(let fault): continuation?.resume(returning: fault)
                }
            }
        }
    }

    /// Stops a service; it waits for its source's thread, so this happens outside the cooperative pool.
    private static func stop(_ service: FlagService) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                service.stop()
                continuation.resume()
            }
        }
    }

    /// The address as clients on this machine reach it, in the form of a URL.
    private static func host(_ host: String) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "[::1]"
        default: host.contains(":") ? "[\(host)]" : host
        }
    }
}
