import Dispatch
import FlagLocking
public import Flagstaff
private import Foundation

/// What every ``FlagStorage`` must do, as a suite that runs against one.
///
/// ```swift
/// let failures = FlagStorageConformance { MyStorage(folder: newFolder()) }.run()
/// #expect(failures.isEmpty)
/// ```
///
/// The suite calls from several threads at once, as clients that share a storage do. It cannot show that bytes survive
/// the end of the process: that is for a test of the storage's own.
public struct FlagStorageConformance: Sendable {
    private let makeStorage: @Sendable () throws -> any FlagStorage

    /// Makes a suite.
    ///
    /// - Parameter makeStorage: Makes an empty storage; called for each check.
    public init(_ makeStorage: @escaping @Sendable () throws -> any FlagStorage) {
        self.makeStorage = makeStorage
    }

    /// Runs all checks, one after the other; it blocks meanwhile.
    ///
    /// - Returns: What failed: nothing, for a storage that conforms.
    public func run() -> [ConformanceFailure] {
        var failures: [ConformanceFailure] = []
        for check in Self.checks {
            do {
                try check.body(try makeStorage())
            } catch let fault as Fault {
                failures.append(ConformanceFailure(check: check.name, message: fault.message))
            } catch {
                failures.append(ConformanceFailure(check: check.name, message: "threw \(error)"))
            }
        }
        return failures
    }

    /// What the suite checks, in words.
    public static var checkNames: [String] { checks.map(\.name) }

    private struct Check: Sendable {
        let name: String
        let body: @Sendable (any FlagStorage) throws -> Void

        init(_ name: String, _ body: @escaping @Sendable (any FlagStorage) throws -> Void) {
            self.name = name
            self.body = body
        }
    }

    private struct Fault: Error {
        let message: String
    }

    private static let checks: [Check] = [
        Check("an empty storage has nothing") { storage in
            try require(
                try storage.read("nothing") == nil, "there are bytes under a name that was never written")
            try require(try storage.entries().isEmpty, "there are entries")
            try storage.remove("nothing")
        },
        Check("bytes are read as they were written") { storage in
            for (index, bytes) in samples.enumerated() {
                try storage.write(bytes, as: "sample-\(index)")
            }
            for (index, bytes) in samples.enumerated() {
                let found = try storage.read("sample-\(index)")
                try require(
                    found == bytes, "\(bytes.count) bytes became \(found?.count.description ?? "none")")
            }
        },
        Check("a write replaces all that was there") { storage in
            for bytes in [samples[3], [7], [], samples[2]] {
                try storage.write(bytes, as: "one")
                try require(try storage.read("one") == bytes, "the former bytes show")
            }
            try require(try storage.entries().count == 1, "a name that is written again makes another entry")
        },
        Check("what is removed is gone, and only that") { storage in
            try storage.write([1], as: "a")
            try storage.write([2], as: "b")
            try storage.remove("a")
            try storage.remove("a")
            try require(try storage.read("a") == nil, "the removed bytes are still there")
            try require(try storage.read("b") == [2], "other bytes are gone too")
            try require(try storage.entries().map(\.name) == ["b"], "the entries do not agree")
            try storage.write([3], as: "a")
            try require(try storage.read("a") == [3], "a removed name cannot be written again")
        },
        Check("similar names are different ones") { storage in
            for (index, name) in names.enumerated() { try storage.write([UInt8(index)], as: name) }
            for (index, name) in names.enumerated() {
                try require(
                    try storage.read(name) == [UInt8(index)], "'\(name)' has the bytes of another name")
            }
            try require(
                try storage.entries().map(\.name).sorted() == names.sorted(), "the names became others")
        },
        Check("names that are none are refused") { storage in
            for name in invalidNames {
                try refuse(name) { _ = try storage.read(name) }
                try refuse(name) { try storage.write([1], as: name) }
                try refuse(name) { try storage.remove(name) }
            }
            try require(try storage.entries().isEmpty, "something was stored")
        },
        Check("entries tell size and time") { storage in
            let before = Date().timeIntervalSince1970
            try storage.write(samples[2], as: "entry")
            let after = Date().timeIntervalSince1970
            guard let entry = try storage.entries().first else { throw Fault(message: "there is no entry") }
            try require(entry.size == samples[2].count, "the size is \(entry.size)")
            // Some file systems know seconds only, and coarse clocks lag behind.
            try require(
                entry.modified >= before - 3 && entry.modified <= after + 3,
                "the time is \(entry.modified) and not about \(after)")
        },
        Check("whoever reads during writes gets the bytes of one of them") { storage in
            try storage.write(pattern(0), as: "shared")
            let writing = Lock(3)
            try concurrently(6) { thread in
                if thread < 3 {
                    defer { writing.withLock { $0 -= 1 } }
                    for round in 0..<40 { try storage.write(pattern(thread * 40 + round), as: "shared") }
                    return
                }
                // On a machine with few cores writers can be through before a reader gets its turn.
                repeat {
                    let bytes = try storage.read("shared")
                    try require(bytes.map(isPattern) ?? false, "half of a write, or none of any")
                } while writing.withLock { $0 > 0 }
            }
        },
        Check("names can be written at the same time") { storage in
            try concurrently(8) { thread in
                for round in 0..<20 {
                    try storage.write([UInt8(thread), UInt8(round)], as: "name-\(thread)")
                }
                _ = try storage.entries()
            }
            for thread in 0..<8 {
                try require(try storage.read("name-\(thread)") == [UInt8(thread), 19], "a write is lost")
            }
            try require(try storage.entries().count == 8, "there are more or fewer entries than names")
        },
    ]

    // MARK: Building blocks

    private static let samples: [[UInt8]] = [
        [], [0], Array("text\r\n\0 with ends of lines\n".utf8),
        (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) },
    ]

    private static let names =
        [
            "a", "a-", "a.", "a.b", "a-b", "a0", "0", "-", "snapshot-0123456789abcdef", "a..b", "con",
            "nul.txt",
        ]
        + [String(repeating: "n", count: 127), String(repeating: "n", count: 128)]

    private static let invalidNames =
        [
            "", ".", "..", ".hidden", "../up", "a/b", "/etc", "a\\b", "A", "é", "a b", "a\0", "a\n", "a_b",
            "a:b", "~",
        ]
        + [String(repeating: "n", count: 129)]

    private static func require(_ condition: Bool, _ message: String) throws {
        if !condition { throw Fault(message: message) }
    }

    private static func refuse(_ name: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            return
        }
        throw Fault(message: "the name '\(name.prefix(20))' is taken")
    }

    private static func pattern(_ seed: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: seed), count: 1 + seed * 977 % 50_000)
    }

    private static func isPattern(_ bytes: [UInt8]) -> Bool {
        // The byte says which it is, and so how many there are.
        bytes.first.map { pattern(Int($0)) == bytes } ?? false
    }

    /// Runs the body on threads of their own, which begin together.
    private static func concurrently(
        _ count: Int, _ body: @escaping @Sendable (Int) throws -> Void
    ) throws {
        let faults = Lock<[any Error]>([])
        let ready = DispatchGroup()
        let done = DispatchGroup()
        for index in 0..<count {
            ready.enter()
            done.enter()
            Thread.detachNewThread {
                ready.leave()
                ready.wait()
                do {
                    try body(index)
                } catch {
                    faults.withLock { $0.append(error) }
                }
                done.leave()
            }
        }
        done.wait()
        if let fault = faults.withLock({ $0.first }) { throw fault }
    }
}
