import FlagLocking
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A client in a process of its own: `EndToEndClient` with arguments.
final class ChildProcess: Sendable {
    /// How the process ended.
    enum Exit: Hashable, Sendable {
        case status(Int32)
        case signal(Int32)
    }

    private struct State: Sendable {
        var text: [UInt8] = []
        var lines: [String] = []
        var isOver = false
        var lineWaiters:
            [(isMet: @Sendable ([String]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
        var exit: Exit?
        var exitWaiters: [CheckedContinuation<Exit, Never>] = []
    }

    private let state = Lock(State())
    private let input = Pipe()
    /// The process's number.
    let identifier: Int32

    /// Starts the process.
    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        let process = Process()
        process.executableURL = Self.folder.appendingPathComponent("EndToEndClient")
        process.arguments = arguments
        // A trace of a crash that is expected takes seconds.
        process.environment = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            .merging(environment) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = input
        process.terminationHandler = { [state] process in
            let exit: Exit =
                process.terminationReason == .exit
                ? .status(process.terminationStatus) : .signal(process.terminationStatus)
            let waiters = state.withLock { state in
                defer { state.exitWaiters = [] }
                state.exit = exit
                return state.exitWaiters
            }
            for waiter in waiters { waiter.resume(returning: exit) }
        }
        try process.run()
        identifier = process.processIdentifier
        // Reading waits, so it has a thread of its own. On Linux a handle that is closed while its handler is being taken
        // away, with its number soon another's, crashes Dispatch.
        Thread { [state] in
            var data = Data()
            repeat {
                data = output.fileHandleForReading.availableData
                Self.take(data, state)
            } while !data.isEmpty
        }.start()
    }

    /// The lines that it has printed so far.
    var lines: [String] { state.withLock { $0.lines } }

    /// Waits until the lines are as the condition asks for, or there will be no more.
    func wait(until isMet: @escaping @Sendable ([String]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.isOver || isMet(state.lines) { return true }
                state.lineWaiters.append((isMet, continuation))
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// Ends its standard input, which asks it to end.
    func endInput() {
        try? input.fileHandleForWriting.close()
    }

    /// Ends it at once, wherever it is (SIGKILL).
    func kill() {
        _ = systemKill(identifier, SIGKILL)
    }

    /// Waits until it has ended and all is read that it printed.
    func waitForExit() async -> Exit {
        await wait { _ in false }
        return await withCheckedContinuation { continuation in
            let exit = state.withLock { state in
                if state.exit == nil { state.exitWaiters.append(continuation) }
                return state.exit
            }
            if let exit { continuation.resume(returning: exit) }
        }
    }

    private static func take(_ data: Data, _ state: Lock<State>) {
        let met = state.withLock { state in
            state.text += data
            while let end = state.text.firstIndex(of: 10) {
                state.lines.append(String(decoding: state.text[..<end], as: UTF8.self))
                state.text.removeSubrange(...end)
            }
            if data.isEmpty { state.isOver = true }
            let (lines, isOver) = (state.lines, state.isOver)
            let met = state.lineWaiters.filter { isOver || $0.isMet(lines) }
            state.lineWaiters.removeAll { isOver || $0.isMet(lines) }
            return met
        }
        for waiter in met { waiter.continuation.resume() }
    }

    /// Where the package's products are: beside the tests.
    private static var folder: URL {
        #if canImport(Darwin)
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
            return bundle.bundleURL.deletingLastPathComponent()
        #else
            return (Bundle.main.executableURL ?? URL(fileURLWithPath: "/")).deletingLastPathComponent()
        #endif
    }
}

// The class's own name hides the system's.
private let systemKill = kill
