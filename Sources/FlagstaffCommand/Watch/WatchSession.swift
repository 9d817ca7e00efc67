import FlagModel
import Flagstaff

/// A live client whose flags are printed at the start and at each change, until the program is to end.
struct WatchSession {
    private let client: FlagClient
    private let display: WatchDisplay
    private let console: Console
    private let events: FlagEvents

    /// Listens to the client from now on, so that nothing is missed of a client that is started afterwards.
    init(client: FlagClient, display: WatchDisplay, console: Console) {
        self.client = client
        self.display = display
        self.console = console
        events = client.events
    }

    /// Prints until the service refuses the client, the client is closed or the task is cancelled.
    ///
    /// - Parameter notices: Further texts to show with the connection's status, such as faults of a service in the
    ///   same program.
    /// - Returns: Why the service refuses the client, or `nil`.
    func run(notices: AsyncStream<String> = AsyncStream { $0.finish() }) async -> FlagClientError? {
        var display = display
        var status = "connecting"
        for await item in Self.merge(events, notices) {
            switch item {
            case .event(let event):
                status = self.status(after: event, before: status)
                if let line = line(for: event) { write(display.status(line)) }
            case .notice(let notice):
                status = notice
                write(display.status(notice))
            }
            let snapshot = client.snapshot
            if snapshot.isReady { write(display.update(snapshot.resolutions, status: status)) }
            if case .event(let event) = item, event.kind == .stopped { return event.error }
            if console.hasFailed() { return nil }
        }
        return nil
    }

    private func write(_ text: String) {
        if !text.isEmpty { console.writeOutput(Array(text.utf8)) }
    }

    private enum Item: Sendable {
        case event(FlagEvent)
        case notice(String)
    }

    /// Both sequences as one; it ends with the events.
    private static func merge(_ events: FlagEvents, _ notices: AsyncStream<String>) -> AsyncStream<Item> {
        // A terminal that is held up must not make the program grow.
        AsyncStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
            let first = Task {
                for await event in events { continuation.yield(.event(event)) }
                continuation.finish()
            }
            let second = Task {
                for await notice in notices { continuation.yield(.notice(notice)) }
            }
            continuation.onTermination = { _ in
                first.cancel()
                second.cancel()
            }
        }
    }

    private func status(after event: FlagEvent, before status: String) -> String {
        switch event.kind {
        case .changed where status != "connecting": status
        case .ready, .connected, .changed: "live"
        default: line(for: event) ?? status
        }
    }

    /// The event in words, where it says more than the flags do.
    private func line(for event: FlagEvent) -> String? {
        switch event.kind {
        case .connected:
            client.status.connection == .streaming
                ? "live: changes are shown as they happen" : "live: the service is asked at intervals"
        case .stale: "the connection is down; trying again" + (event.error.map { " (\($0.message))" } ?? "")
        case .error: event.error.map { "error: \($0.message)" }
        default: nil
        }
    }
}
