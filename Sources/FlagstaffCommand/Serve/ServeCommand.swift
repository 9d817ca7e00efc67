import FlagEvaluation
import FlagService
import Foundation
import HTTPServer

/// `flagstaff serve`: the flag service.
struct ServeCommand: Subcommand {
    static let specification = CommandSpecification(
        name: "serve",
        summary: "Serve the flags of a file to clients.",
        usage: ["serve --flags FILE [--port PORT] [options]"],
        discussion: """
            Clients reach the flags by OFREP (POST /ofrep/v1/evaluate/flags) and are told of changes over streams. The
            file is watched: a change is served at once, and while the file is missing or wrong the last good flags
            are. Keys on a command line can be seen by other users of the machine: use --client-keys, or the
            environment variable FLAGSTAFF_CLIENT_KEYS (keys separated by commas), for keys that matter.

            Example:
              flagstaff serve --flags flags.json --port 8080

            Exit status:
              0   ended by SIGINT, SIGTERM or SIGHUP, all requests and streams finished
              1   the address cannot be listened at, or TLS files or keys are wrong
              2   the flag file cannot be read or is no flag definition
              64  the command line is wrong
            """,
        options: [
            .init("flags", value: "FILE", "The flag file in flagd's JSON format. Required."),
            .init(
                "host", value: "ADDRESS",
                "Where to listen; 0.0.0.0 or :: for all addresses. Default: 127.0.0.1"),
            .init("port", letter: "p", value: "PORT", "The TCP port, 0 for any free one. Default: 8080"),
            .init(
                "client-key", value: "KEY", "A key that clients must have; may be repeated.", repeats: true),
            .init("client-keys", value: "FILE", "A file of client keys, one a line, # for comments."),
            .init(
                "cors-origin", value: "ORIGIN", "A web origin to let in, or *; may be repeated.",
                repeats: true),
            .init("rate-limit", value: "N", "Requests a second and key (or address). Default: no limit"),
            .init("tls-certificate", value: "FILE", "The certificate chain for HTTPS, in PEM."),
            .init("tls-key", value: "FILE", "The certificate's private key, in PEM."),
            .init("fractional", value: "SCHEME", "How fractional picks buckets: v3 or v2. Default: v3"),
            .init("workers", value: "N", "Threads that answer requests. Default: one a core"),
            .init("max-connections", value: "N", "Connections at a time, streams included. Default: 10000"),
            .init("max-body", value: "BYTES", "The largest request body. Default: 1000000"),
            .init(
                "wait-for-flags", "Start also while the file is missing or wrong, and serve once it is good."),
            .init("log-level", value: "LEVEL", "debug, info, warning or error. Default: info"),
            .init("log-format", value: "FORMAT", "text or json. Default: text"),
        ])

    private let settings: ServiceSettings
    private let keyFile: String?
    private let logLevel: ServiceLog.Level
    private let logFormat: LogWriter.Format

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard let file = arguments.value("flags") else { throw UsageError("--flags FILE is needed") }
        var settings = ServiceSettings(flagFile: file)
        settings.clientKeys = arguments.values("client-key")
        settings.evaluation.fractional = try EvaluateCommand.scheme(arguments.value("fractional"))
        for origin in arguments.values("cors-origin") where !CORSPolicy.isOrigin(origin) {
            throw UsageError(
                "--cors-origin needs * or an origin such as https://app.example.com, not '\(origin)'")
        }
        settings.service.cors = CORSPolicy(allowedOrigins: Set(arguments.values("cors-origin")))
        settings.service.requestsPerSecond = try Self.rate(arguments.value("rate-limit"))
        settings.server = try Self.server(arguments)
        settings.waitsForFlags = arguments.has("wait-for-flags")
        self.settings = settings
        keyFile = arguments.value("client-keys")
        logLevel = try Self.choice(
            arguments, "log-level", among: ServiceLog.Level.allCases, named: \.name, default: .info)
        logFormat = try Self.choice(
            arguments, "log-format", among: LogWriter.Format.allCases, named: \.rawValue, default: .text)
    }

    func run(_ console: Console) async -> CommandStatus {
        let log = LogWriter(format: logFormat).log(level: logLevel)
        do {
            let running = try await RunningService.start(try settingsWithKeys(), log: log)
            // Before the line that tells others that signals are welcome.
            let termination = Termination()
            console.print("Serving \(settings.flagFile) at \(running.url)")
            await termination.requested()
            log.write(.info, "ending: streams are told to come back, requests are finished")
            await running.shutdown()
            return .success
        } catch let error as FlagFileError {
            console.complain("flagstaff serve: \(error)")
            return .unreadable
        } catch let error as InputFile.Failure {
            console.complain("flagstaff serve: \(error.message)")
            return .failure
        } catch {
            console.complain("flagstaff serve: \(error)")
            return .failure
        }
    }

    /// The settings with the keys of the key file and of the environment.
    private func settingsWithKeys() throws(InputFile.Failure) -> ServiceSettings {
        var settings = settings
        if let keyFile {
            let text = String(decoding: try InputFile.contents(of: keyFile), as: UTF8.self)
            let keys = ClientKeys.lines(of: text)
            // An empty file must not open the service to everyone.
            if keys.isEmpty { throw InputFile.Failure(message: "\(keyFile) has no keys in it") }
            settings.clientKeys += keys
        }
        let variable = ProcessInfo.processInfo.environment["FLAGSTAFF_CLIENT_KEYS"]
        settings.clientKeys += try Self.keys(ofVariable: variable)
        return settings
    }

    /// The keys in the value of the environment variable; one that is set without any must not open the service.
    static func keys(ofVariable variable: String?) throws(InputFile.Failure) -> [String] {
        guard let variable else { return [] }
        let keys = variable.split(separator: ",").map(String.init)
        if keys.isEmpty {
            throw InputFile.Failure(message: "FLAGSTAFF_CLIENT_KEYS is set and has no keys in it")
        }
        return keys
    }

    // MARK: Arguments

    private static func server(_ arguments: ParsedArguments) throws(UsageError) -> HTTPServer.Configuration {
        var server = HTTPServer.Configuration()
        if let host = arguments.value("host") { server.host = host }
        server.port = UInt16(try arguments.integer("port", in: 0...65535) ?? 8080)
        if let workers = try arguments.integer("workers", in: 1...256) { server.workerThreads = Int(workers) }
        if let connections = try arguments.integer("max-connections", in: 1...1_000_000) {
            server.maxConnections = Int(connections)
        }
        if let bytes = try arguments.integer("max-body", in: 1...1_000_000_000) {
            server.maxBodyBytes = Int(bytes)
        }
        switch (arguments.value("tls-certificate"), arguments.value("tls-key")) {
        case (nil, nil): break
        case (let certificate?, let key?):
            server.tls = HTTPServer.TLS(certificatePath: certificate, privateKeyPath: key)
        default: throw UsageError("--tls-certificate and --tls-key go together")
        }
        return server
    }

    private static func rate(_ text: String?) throws(UsageError) -> Double? {
        guard let text else { return nil }
        guard let rate = Double(text), rate > 0, rate.isFinite else {
            throw UsageError("--rate-limit needs a number greater than 0, not '\(text)'")
        }
        return rate
    }

    private static func choice<Value>(
        _ arguments: ParsedArguments, _ option: String, among values: [Value], named name: (Value) -> String,
        default standard: Value
    ) throws(UsageError) -> Value {
        guard let text = arguments.value(option) else { return standard }
        guard let value = values.first(where: { name($0) == text }) else {
            let names = values.map(name).joined(separator: ", ")
            throw UsageError("--\(option) is one of \(names), not '\(text)'")
        }
        return value
    }
}
