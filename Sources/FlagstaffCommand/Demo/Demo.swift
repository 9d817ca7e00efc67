import Dispatch
import FlagModel
import FlagService
import Flagstaff
import Foundation

/// The whole path in one program: a flag file, the service, and a live client of it.
struct Demo: Sendable {
    /// Whom the demo's flags are evaluated for.
    static let context = FlagContext(
        key: "user-123", attributes: ["plan": "pro", "email": "anna@example.com"])

    private let folder: URL
    private let file: URL
    private let service: RunningService
    private let client: FlagClient
    private let notices: AsyncStream<String>
    private let console: Console

    /// Starts the service on a free port, over a sample file in a folder of its own, and a client of it.
    static func start(console: Console) async throws -> Demo {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("flagstaff-demo-\(UUID().uuidString.prefix(8).lowercased())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do {
            return try await Demo(folder: folder, console: console)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    private init(folder: URL, console: Console) async throws {
        self.console = console
        self.folder = folder
        file = folder.appendingPathComponent("flags.json")
        try Data(DemoFlags.text(checkout: "off").utf8).write(to: file)

        let (notices, continuation) = AsyncStream.makeStream(of: String.self)
        self.notices = notices
        let log = ServiceLog(level: .info) { entry in
            // "Rules in force" after a fault says that it is over.
            continuation.yield(entry.level >= .warning ? entry.message : "live: \(entry.message)")
        }
        service = try await RunningService.start(ServiceSettings(flagFile: file.path), log: log)
        guard let url = URL(string: service.url) else { throw URLError(.badURL) }
        var configuration = FlagClientConfiguration(endpoint: url)
        // A demonstration leaves nothing behind.
        configuration.cache = .off
        client = try FlagClient(configuration)
    }

    /// Shows the flags until the program is asked to end.
    func run() async {
        let heading = [
            "Flagstaff: a flag service at \(service.url), and a live client of it in this terminal.", "",
            "Edit this file, and the table changes within a second:", "    \(file.path)", "",
            "The client's context: \(FlagValue.object(Self.context.members))", "Control-C ends the demo.", "",
        ]
        let session = WatchSession(client: client, display: display(heading: heading), console: console)
        let notices = notices
        await withTaskGroup(of: Void.self) { group in
            // Ends when nobody sees what it shows any more.
            group.addTask { [notices] in _ = await session.run(notices: notices) }
            group.addTask { [client] in
                await client.start(context: Self.context)
                await Termination().requested()
            }
            await group.next()
            group.cancelAll()
        }
        await end()
    }

    /// Goes through the whole path once without a terminal, and returns whether the change arrived.
    func runOnce() async -> Bool {
        let outcome = await client.start(context: Self.context, timeout: 10)
        guard outcome.isFresh else {
            write("The client got no flags: \(outcome)\n")
            await end()
            return false
        }
        let table = FlagTable(width: 100, usesColor: false)
        let flags = client.snapshot.resolutions.values.sorted { $0.key < $1.key }
        write("A flag service at \(service.url) serves \(file.path) to a live client:\n\n")
        write(table.lines(flags).map { $0 + "\n" }.joined())

        let before = client.isEnabled(DemoFlags.changedFlag)
        let start = DispatchTime.now().uptimeNanoseconds
        let arrived = await changeArrives(before: before)
        let elapsed = (DispatchTime.now().uptimeNanoseconds - start) / 1_000_000
        let after = client.isEnabled(DemoFlags.changedFlag)
        write("\n\(DemoFlags.changedFlag) before the file was changed: \(before)\n")
        write("\(DemoFlags.changedFlag) \(elapsed) ms after the file was changed: \(after)\n")
        if !arrived { write("The change did not arrive within 10 s.\n") }
        await end()
        return arrived
    }

    /// Changes the flag in the file, and waits until the client has the new value.
    private func changeArrives(before: Bool) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { [client] in
                for await value in client.values(for: DemoFlags.changedFlag, default: before)
                where value != before {
                    return true
                }
                return false
            }
            group.addTask {
                try? await Task.sleep(nanoseconds: 10_000_000_000)
                return false
            }
            do {
                try Data(DemoFlags.text(checkout: before ? "off" : "on").utf8).write(
                    to: file, options: .atomic)
            } catch {
                write("The file could not be changed: \(error)\n")
                group.cancelAll()
            }
            let arrived = await group.next() ?? false
            group.cancelAll()
            return arrived
        }
    }

    private func display(heading: [String]) -> WatchDisplay {
        let table = Terminal.table(for: console)
        if console.isTerminal { return WatchDisplay(style: .screen(table, heading: heading)) }
        write(heading.map { $0 + "\n" }.joined())
        return WatchDisplay(style: .lines(table))
    }

    private func write(_ text: String) {
        console.writeOutput(Array(text.utf8))
    }

    private func end() async {
        await client.close()
        await service.shutdown()
        try? FileManager.default.removeItem(at: folder)
    }
}
