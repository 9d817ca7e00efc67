import FlagLocking
import Foundation
import Testing

@testable import FlagstaffTesting

@Suite struct FlagStorageConformanceTests {
    /// Folders for storages, removed with the test.
    private final class Folders: Sendable {
        let base = FileManager.default.temporaryDirectory.appendingPathComponent(
            "flagstaff-\(UUID().uuidString)")

        deinit { try? FileManager.default.removeItem(at: base) }

        func next() -> URL { base.appendingPathComponent(UUID().uuidString) }
    }

    @Test func memoryConforms() {
        #expect(FlagStorageConformance { MemoryFlagStorage() }.run() == [])
    }

    @Test func filesConform() {
        let folders = Folders()
        #expect(FlagStorageConformance { FileFlagStorage(folder: folders.next()) }.run() == [])
    }

    /// A storage with one fault.
    private struct Broken: FlagStorage {
        enum Fault: CaseIterable {
            case forgets
            case appends
            case keepsRemoved
            case mixesNames
            case takesAnyName
            case tellsNoTime
            case writesInPieces
        }

        let base = MemoryFlagStorage()
        let fault: Fault

        func read(_ name: String) throws -> [UInt8]? {
            if fault == .takesAnyName, (try? FlagStorageError.check(name)) == nil { return nil }
            return try base.read(key(name))
        }

        func write(_ bytes: [UInt8], as name: String) throws {
            switch fault {
            case .forgets: break
            case .takesAnyName where (try? FlagStorageError.check(name)) == nil: break
            case .appends: try base.write((try base.read(name) ?? []) + bytes, as: name)
            case .writesInPieces:
                for end in stride(from: 1, to: bytes.count, by: 400) {
                    try base.write(Array(bytes.prefix(end)), as: name)
                }
                try base.write(bytes, as: name)
            default: try base.write(bytes, as: key(name))
            }
        }

        func remove(_ name: String) throws {
            if fault == .takesAnyName, (try? FlagStorageError.check(name)) == nil { return }
            if fault != .keepsRemoved { try base.remove(key(name)) }
        }

        func entries() throws -> [FlagStorageEntry] {
            try base.entries().map { entry in
                fault == .tellsNoTime
                    ? FlagStorageEntry(name: entry.name, size: entry.size, modified: 0) : entry
            }
        }

        private func key(_ name: String) -> String {
            fault == .mixesNames ? String(name.prefix(127)) : name
        }
    }

    @Test(arguments: Broken.Fault.allCases) private func findsEachFault(fault: Broken.Fault) {
        #expect(FlagStorageConformance { Broken(fault: fault) }.run() != [])
    }

    @Test func aStorageThatThrowsDoesNotConform() {
        struct Throwing: Error {}
        let failures = FlagStorageConformance { throw Throwing() }.run()
        #expect(failures.map(\.check) == FlagStorageConformance.checkNames)
    }
}
