import FlagEvaluation
import Foundation
import Testing

@testable import FlagStore

/// Every test waits for what the source delivers; none waits for time to pass.
@Suite(.timeLimit(.minutes(1))) struct FileFlagSourceTests {
    @Test func deliversTheFileAtTheStart() async throws {
        let folder = try TemporaryFolder()
        try folder.write("flags.json", flags: ["a"])
        var updates = Updates(of: folder.path("flags.json"))
        #expect(await updates.next() == "a")
    }

    @Test func deliversWhatIsWrittenInPlace() async throws {
        let folder = try TemporaryFolder()
        try folder.write("flags.json", flags: ["a"])
        var updates = Updates(of: folder.path("flags.json"))
        #expect(await updates.next() == "a")
        let handle = try #require(FileHandle(forWritingAtPath: folder.path("flags.json")))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: TemporaryFolder.definition(["a", "b"]))
        try handle.close()
        #expect(await updates.next() == "a b")
    }

    @Test func deliversEachAtomicReplacement() async throws {
        let folder = try TemporaryFolder()
        try folder.write("flags.json", flags: ["f0"])
        var updates = Updates(of: folder.path("flags.json"))
        #expect(await updates.next() == "f0")
        for round in 1...20 {
            try folder.write("flags.json.new", flags: ["f\(round)"])
            try folder.move("flags.json.new", over: "flags.json")
            #expect(await updates.next() == "f\(round)")
        }
    }

    /// The layout of a mounted ConfigMap: the file is a link through `..data`, which is made to point elsewhere.
    @Test func followsASymbolicLinkSwap() async throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("..v1")
        try folder.write("..v1/flags.json", flags: ["old"])
        try folder.link("..data", to: "..v1")
        try folder.link("flags.json", to: "..data/flags.json")
        var updates = Updates(of: folder.path("flags.json"))
        #expect(await updates.next() == "old")
        for version in 2...5 {
            try folder.makeFolder("..v\(version)")
            try folder.write("..v\(version)/flags.json", flags: ["new\(version)"])
            try folder.link("..data_new", to: "..v\(version)")
            try folder.move("..data_new", over: "..data")
            #expect(await updates.next() == "new\(version)")
        }
    }

    @Test func noticesAChangeBehindALinkIntoAnotherFolder() async throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("elsewhere")
        try folder.write("elsewhere/real.json", flags: ["a"])
        try folder.link("flags.json", to: "elsewhere/real.json")
        var updates = Updates(of: folder.path("flags.json"))
        #expect(await updates.next() == "a")
        try folder.write("elsewhere/next.json", flags: ["b"])
        try folder.move("elsewhere/next.json", over: "elsewhere/real.json")
        #expect(await updates.next() == "b")
    }

    @Test func tellsWhatIsWrongAndGoesOn() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("flags.json")
        try folder.write("flags.json", flags: ["a"])
        var updates = Updates(of: path)
        #expect(await updates.next() == "a")

        try Data().write(to: URL(fileURLWithPath: path))
        #expect(await updates.next()?.contains("is empty") == true)

        try FileManager.default.removeItem(atPath: path)
        #expect(await updates.next() == "\(path) does not exist")

        try folder.makeFolder("flags.json")
        #expect(await updates.next() == "\(path) is a folder; name a flag file in it")

        try FileManager.default.removeItem(atPath: path)
        #expect(await updates.next() == "\(path) does not exist")

        #expect(mkfifo(path, 0o600) == 0)
        #expect(await updates.next() == "\(path) is not a regular file")

        try FileManager.default.removeItem(atPath: path)
        #expect(await updates.next() == "\(path) does not exist")

        try folder.write("flags.json", flags: ["b"])
        #expect(await updates.next() == "b")
    }

    @Test func tellsThatAFileMayNotBeRead() async throws {
        // The superuser may read everything, so the rule is then shown by a link that leads nowhere but to itself.
        let folder = try TemporaryFolder()
        let path = folder.path("flags.json")
        if geteuid() == 0 {
            try folder.link("flags.json", to: "flags.json")
        } else {
            try folder.write("flags.json", flags: ["a"])
            #expect(chmod(path, 0) == 0)
        }
        var updates = Updates(of: path)
        let fault = await updates.next()
        #expect(
            fault?.contains(geteuid() == 0 ? "leads round in a circle" : "give this user read permission")
                == true)
    }

    @Test func refusesAFileThatIsTooLarge() throws {
        let folder = try TemporaryFolder()
        try folder.write("flags.json", flags: ["a"])
        let file = FlagFile(path: folder.path("flags.json"), maximumBytes: 10)
        #expect(throws: FlagSourceFault.self) { try file.read() }
    }

    @Test func letsGoOfTheReceiverWhenItIsStopped() async throws {
        let folder = try TemporaryFolder()
        try folder.write("flags.json", flags: ["a"])
        let source = FileFlagSource(path: folder.path("flags.json"))
        let (deliveries, delivery) = AsyncStream.makeStream(of: Void.self)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        do {
            let receiver = Receiver(onRelease: { release.yield() })
            source.start { [receiver] _ in
                _ = receiver
                delivery.yield()
            }
        }
        var delivered = deliveries.makeAsyncIterator()
        await delivered.next()
        source.stop()
        source.stop()
        // Nothing can be delivered any more: there is nobody left to call.
        var released = releases.makeAsyncIterator()
        #expect(await released.next() != nil)
    }

    @Test func endsItsThreadWhenItIsDroppedWithoutStop() async throws {
        let folder = try TemporaryFolder()
        try folder.write("flags.json", flags: ["a"])
        let (releases, continuation) = AsyncStream.makeStream(of: Void.self)
        do {
            let receiver = Receiver(onRelease: { continuation.yield() })
            let source = FileFlagSource(path: folder.path("flags.json"))
            source.start { [receiver] _ in _ = receiver }
        }
        var iterator = releases.makeAsyncIterator()
        // The thread holds the receiver for as long as it runs.
        #expect(await iterator.next() != nil)
    }
}

/// What a source's receiver holds on to; tells when it is let go.
private final class Receiver: Sendable {
    private let onRelease: @Sendable () -> Void

    init(onRelease: @escaping @Sendable () -> Void) {
        self.onRelease = onRelease
    }

    deinit {
        onRelease()
    }
}

/// What a source delivers, as text: the keys of the flags, or the fault.
private struct Updates {
    private let source: FileFlagSource
    private var iterator: AsyncStream<String>.Iterator

    init(of path: String) {
        source = FileFlagSource(path: path)
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        source.start { update in
            switch update {
            case .rules(let rules): continuation.yield(rules.flags.map(\.key).joined(separator: " "))
            case .fault(let fault): continuation.yield(fault.message)
            }
        }
        iterator = stream.makeAsyncIterator()
    }

    mutating func next() async -> String? {
        await iterator.next()
    }
}
