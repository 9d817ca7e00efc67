import Foundation
import Testing

@testable import Flagstaff

@Suite struct FileFlagStorageTests {
    private let folder: StorageTestFolder
    private let storage: FileFlagStorage

    init() throws {
        folder = try StorageTestFolder()
        storage = FileFlagStorage(folder: folder.url("store"))
    }

    private func code(_ body: () throws -> Void) -> FlagStorageError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? FlagStorageError)?.code
        }
    }

    @Test func makesNothingBeforeTheFirstCall() throws {
        #expect(try folder.names() == [])
        #expect(try storage.entries() == [])
        #expect(try folder.names() == ["store"])
    }

    @Test func filesAndFolderAreForThisUserAlone() throws {
        try storage.write([1, 2, 3], as: "a")
        let permissions = { (path: String) in
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try permissions(folder.path("store")) == 0o700)
        #expect(try permissions(folder.path("store/a")) == 0o600)
        #expect(try permissions(folder.path("store/.lock")) == 0o600)
    }

    @Test func leavesNoTemporaryFileBehind() throws {
        for round in 0..<5 { try storage.write([UInt8(round)], as: "a") }
        try FileManager.default.createDirectory(at: folder.url("store/b"), withIntermediateDirectories: false)
        #expect(code { try storage.write([1], as: "b") } != nil)
        #expect(try folder.names("store") == [".lock", "a", "b"])
    }

    @Test func removesWhatAKilledWriterLeft() throws {
        try FileManager.default.createDirectory(at: folder.url("store"), withIntermediateDirectories: true)
        try folder.write([1], to: "store/.new-1")
        try folder.write([1], to: "store/kept")
        try folder.write([1], to: "store/.foreign")
        #expect(try storage.entries().map(\.name) == ["kept"])
        #expect(try folder.names("store") == [".foreign", ".lock", "kept"])
    }

    @Test func anotherStorageOfTheProcessSharesTheFolderAndItsTemporaryFiles() throws {
        try storage.write([1], as: "a")
        try folder.write([1], to: "store/.new-1")
        let other = FileFlagStorage(folder: folder.url("store/../store"))
        #expect(try other.read("a") == [1])
        // It may be a write in progress: only who takes the folder first tidies up.
        #expect(try folder.names("store").contains(".new-1"))
    }

    @Test func toleratesWhatIsNotItsOwn() throws {
        try storage.write([1], as: "a")
        try folder.write([9], to: "store/UPPER case.txt")
        try folder.write([9], to: "store/.DS_Store")
        let store = folder.path("store")
        try FileManager.default.createDirectory(atPath: store + "/folder", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: store + "/link", withDestinationPath: "/etc/hosts")
        try FileManager.default.createSymbolicLink(atPath: store + "/broken", withDestinationPath: "nowhere")
        #expect(mkfifo(store + "/pipe", 0o600) == 0)
        #expect(try storage.entries().map(\.name) == ["a"])
        for name in ["folder", "link", "broken", "pipe"] {
            #expect(code { _ = try storage.read(name) } != nil)
        }
        #expect(code { try storage.remove("folder") } != nil)
        try storage.write([2], as: "link")
        #expect(try storage.read("link") == [2])
        #expect(try folder.names("store").contains("UPPER case.txt"))
    }

    @Test func namesCannotLeaveTheFolder() throws {
        try folder.write([9], to: "outside")
        for name in ["../outside", "..", "/etc/hosts", "a/../../outside", ".lock"] {
            #expect(code { _ = try storage.read(name) } == .invalidName)
            #expect(code { try storage.write([1], as: name) } == .invalidName)
            #expect(code { try storage.remove(name) } == .invalidName)
        }
        #expect(try folder.names() == ["outside"])
    }

    @Test func makesAFolderAgainThatWasTidiedAway() throws {
        try storage.write([1], as: "a")
        try FileManager.default.removeItem(at: folder.url("store"))
        #expect(try storage.read("a") == nil)
        #expect(try storage.entries() == [])
        try storage.remove("a")
        try storage.write([2], as: "a")
        #expect(try storage.read("a") == [2])
    }

    @Test func saysWhenThereCanBeNoFolder() throws {
        // A file is where a folder should be: that stops the system's administrator too.
        try folder.write([1], to: "file")
        for path in ["file", "file/below", "file/below/it"] {
            let storage = FileFlagStorage(folder: folder.url(path))
            #expect(code { try storage.write([1], as: "a") } != nil)
            #expect(code { _ = try storage.read("a") } != nil)
            #expect(code { _ = try storage.entries() } != nil)
            #expect(code { try storage.remove("a") } != nil)
        }
        #expect(try Data(contentsOf: folder.url("file")) == Data([1]))
    }

    @Test func usesAFolderThatCanBeHadLater() throws {
        try folder.write([1], to: "file")
        let storage = FileFlagStorage(folder: folder.url("file/below"))
        #expect(code { try storage.write([1], as: "a") } == .unavailable)
        try FileManager.default.removeItem(at: folder.url("file"))
        try storage.write([1], as: "a")
        #expect(try storage.read("a") == [1])
    }

    @Test func refusesToReadWhatIsTooLargeToBeOurs() throws {
        try storage.write([1], as: "a")
        let file = try FileHandle(forWritingTo: folder.url("store/a"))
        // A sparse file: it has the size, and takes no room.
        try file.truncate(atOffset: UInt64(StoredFile.largestSize) + 1)
        try file.close()
        #expect(code { _ = try storage.read("a") } == .failed)
        try storage.write([2], as: "a")
        #expect(try storage.read("a") == [2])
    }

    @Test func errorsOfTheSystemHaveTheirMeaning() {
        for (number, code) in [
            (ENOSPC, FlagStorageError.Code.full), (EDQUOT, .full), (EFBIG, .full), (EROFS, .denied),
            (EACCES, .denied), (EPERM, .denied), (ENOTDIR, .unavailable), (ENOENT, .unavailable),
            (EIO, .failed),
        ] {
            #expect(StoredFile.fault("it failed", number).code == code)
            #expect(StoredFile.fault("it failed", number).message.hasPrefix("it failed ("))
        }
    }
}
