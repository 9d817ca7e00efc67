import Foundation
import Testing

@testable import FlagstaffCommand

@Suite struct InputFileTests {
    @Test func readsFilesOfAnySize() throws {
        let folder = try TemporaryFolder()
        for size in [0, 1, 65_536, 200_000] {
            let path = try folder.file("file-\(size)", String(repeating: "x", count: size))
            #expect(try InputFile.contents(of: path) == Array(repeating: UInt8(ascii: "x"), count: size))
        }
    }

    @Test func saysWhyItCannotRead() throws {
        let folder = try TemporaryFolder()
        let missing = folder.path + "/nope"
        #expect(throws: InputFile.Failure(message: "cannot read \(missing): no such file or directory")) {
            try InputFile.contents(of: missing)
        }
        #expect(throws: InputFile.Failure(message: "cannot read \(folder.path): it is a folder")) {
            try InputFile.contents(of: folder.path)
        }
    }
}
