import FlagModel
import Flagstaff
import Foundation

/// `flagstaff watch`: a live client in a terminal.
struct WatchCommand: Subcommand {
    static let specification = CommandSpecification(
        name: "watch",
        summary: "Show the flags of a service for a context, and each change as it happens.",
        usage: ["watch URL [--key KEY] [--context JSON] [--json] [options]"],
        discussion: """
            This is a client like the one in an app: it works with any OFREP service, and goes on trying while the
            service cannot be reached. The client key can also come from the environment variable
            FLAGSTAFF_CLIENT_KEY, which other users of the machine cannot see.

            With --json each line is an object whose "event" is "value" (at the start), "change", "removed" or
            "status".

            Example:
              flagstaff watch http://127.0.0.1:8080 --context '{"targetingKey": "user-123", "plan": "pro"}'

            Exit status:
              0   ended by SIGINT, SIGTERM or SIGHUP
              1   the service refuses this client
              64  the command line is wrong
            """,
        positionals: [.init("URL", "The service's address, without /ofrep.")],
        options: [
            .init("key", letter: "k", value: "KEY", "The client key, if the service asks for one."),
            .init("context", value: "JSON", "The context as a JSON object. Default: {}"),
            .init(
                "header", value: "NAME: VALUE", "A header for each request; may be repeated.", repeats: true),
            .init("poll", value: "SECONDS", "Ask at this interval instead of opening a stream; at least 5."),
            .init("json", "Print a JSON object a line."),
        ])

    private let configuration: FlagClientConfiguration
    private let context: FlagContext
    private let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard arguments.positionals.count == 1, let url = URL(string: arguments.positionals[0]) else {
            throw UsageError("the service's URL is needed, such as http://127.0.0.1:8080")
        }
        let key = arguments.value("key") ?? ProcessInfo.processInfo.environment["FLAGSTAFF_CLIENT_KEY"]
        var configuration = FlagClientConfiguration(endpoint: url, key: key)
        // Looking on is no use of a flag, and leaves nothing behind.
        configuration.telemetry = .off
        configuration.cache = .off
        // What the client would log is shown as the connection's status.
        configuration.logger = SilentLogger()
        for header in arguments.values("header") {
            guard let colon = header.firstIndex(of: ":") else {
                throw UsageError("--header needs 'NAME: VALUE', not '\(header)'")
            }
            let value = header[header.index(after: colon)...].drop { $0 == " " }
            configuration.headers[String(header[..<colon])] = String(value)
        }
        if let seconds = try arguments.integer("poll", in: 5...86_400) {
            configuration.sync = .polling(every: TimeInterval(seconds))
        }
        self.configuration = configuration
        context = FlagContext(members: try EvaluateCommand.context(arguments.value("context")))
        printsJSON = arguments.has("json")
    }

    func run(_ console: Console) async -> CommandStatus {
        let client: FlagClient
        do {
            client = try FlagClient(configuration)
        } catch {
            console.complain("flagstaff watch: \(error)")
            return .usage
        }
        let session = WatchSession(
            client: client, display: WatchDisplay(style: style(console)), console: console)
        let refusal = await withTaskGroup(of: FlagClientError?.self) { group in
            group.addTask { await session.run() }
            group.addTask { [context] in
                await client.start(context: context, timeout: 0)
                await Termination().requested()
                return nil
            }
            let refusal = await group.next() ?? nil
            group.cancelAll()
            await client.close()
            return refusal
        }
        guard let refusal else { return .success }
        console.complain("flagstaff watch: the service refuses this client: \(refusal.message)")
        return .failure
    }

    private func style(_ console: Console) -> WatchDisplay.Style {
        if printsJSON { return .json }
        let table = Terminal.table(for: console)
        return console.isTerminal ? .screen(table, heading: []) : .lines(table)
    }
}

extension FlagContext {
    /// A context from its members as they are sent; a targeting key that is no text stays an attribute.
    init(members: [String: FlagValue]) {
        var attributes = members
        let key = attributes["targetingKey"]?.stringValue
        if key != nil { attributes["targetingKey"] = nil }
        self.init(key: key, attributes: attributes)
    }
}
