import Dispatch
import Flagstaff
import Foundation

/// What a connected client takes while nothing happens: memory, and how often it wakes the processor.
enum ClientBenchmark {
    /// Connects to the service at the first argument and watches itself for as many seconds as the second says.
    static func run(_ arguments: [String]) throws {
        guard arguments.count == 2, let url = URL(string: arguments[0]), let seconds = Double(arguments[1]),
            seconds > 0
        else { throw Failure("usage: FlagstaffBench client URL SECONDS") }
        let before = ResidentMemory.bytes
        let client = try FlagClient(FlagClientConfiguration(endpoint: url))
        let events = client.events
        let flags = wait {
            await client.start(
                context: FlagContext(key: "user-123", attributes: ["plan": "pro"]), timeout: 30)
            // Until the stream is there, the client is still at work.
            for await event in events where event.kind == .connected { break }
            return client.snapshot.resolutions.count
        }
        // What follows from connecting is over soon.
        Thread.sleep(forTimeInterval: 2)
        let after = ResidentMemory.bytes
        let began = wakeUps()
        Thread.sleep(forTimeInterval: seconds)
        // This thread wakes once at the end of its sleep.
        let perMinute = Double(wakeUps() - began - 1) * 60 / seconds
        guard client.status.connection == .streaming else {
            throw Failure("the client lost its stream: \(client.status)")
        }
        wait { await client.close() }

        let kilobytes = Double(after - before) / 1024
        print(
            "client: \(flags ?? 0) flags, \(Int(kilobytes)) KiB resident, \(Int(perMinute)) wake-ups per minute"
        )
        report(
            "resident memory of a client with \(flags ?? 0) flags, its network library included", kilobytes,
            "KiB")
        report("wake-ups of a connected client while nothing happens", perMinute, "a minute")
    }

    private static func report(_ what: String, _ value: Double, _ unit: String) {
        print("result: {\"what\": \"\(what)\", \"value\": \(Int(value)), \"unit\": \"\(unit)\"}")
    }

    /// How often threads of this process, also those that are gone, went to sleep of their own accord.
    private static func wakeUps() -> Int {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(RUSAGE_SELF.rawValue, &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        return Int(usage.ru_nvcsw)
    }

    /// Blocks the main thread, which runs nothing else, until the body is done.
    @discardableResult
    private static func wait<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) -> Result? {
        let done = DispatchSemaphore(value: 0)
        let box = Box<Result>()
        Task {
            box.value = await body()
            done.signal()
        }
        done.wait()
        return box.value
    }

    // Unchecked: written before the semaphore is signalled and read after it was waited for.
    private final class Box<Value: Sendable>: @unchecked Sendable {
        var value: Value?
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
}
