import Testing

@testable import Flagstaff

@Suite struct StorageFolderTests {
    #if canImport(Darwin)
        @Test func isBelowTheFolderThatTheSystemNames() throws {
            let path = try #require(StorageFolder.path("name", environment: [:]))
            #expect(path.hasPrefix("/"))
            #expect(path.hasSuffix("/Flagstaff/1/name"))
        }
    #else
        @Test func followsTheSpecificationOfSuchFolders() {
            let path = { StorageFolder.path("name", environment: $0) }
            #expect(path(["XDG_STATE_HOME": "/state", "HOME": "/home/me"]) == "/state/flagstaff/1/name")
            #expect(path(["HOME": "/home/me"]) == "/home/me/.local/state/flagstaff/1/name")
            #expect(path(["XDG_STATE_HOME": "", "HOME": "/h"]) == "/h/.local/state/flagstaff/1/name")
            #expect(path(["XDG_STATE_HOME": "relative", "HOME": "/h"]) == "/h/.local/state/flagstaff/1/name")
        }

        @Test func isNoneWithoutAHome() {
            #expect(StorageFolder.path("name", environment: [:]) == nil)
            #expect(StorageFolder.path("name", environment: ["HOME": ""]) == nil)
        }
    #endif
}
