import FlagstaffTesting
import Foundation
import Testing

@testable import AbrovaFlags

@Suite(.timeLimit(.minutes(1))) struct UserDefaultsStorageTests {
    /// A suite of the test's own, empty before and after.
    private func withSuite(_ body: (String) throws -> Void) throws {
        let name = "flagstaff.test.\(UUID().uuidString)"
        defer { UserDefaults(suiteName: name)?.removePersistentDomain(forName: name) }
        try body(name)
    }

    @Test func isAStorage() throws {
        try withSuite { name in
            let failures = FlagStorageConformance {
                UserDefaults(suiteName: name)?.removePersistentDomain(forName: name)
                return UserDefaultsStorage(suiteName: name)
            }.run()
            #expect(failures.isEmpty, "\(failures)")
        }
    }

    @Test func suiteIsItsOwn() {
        let name = UserDefaultsStorage.standard.suiteName
        #expect(name.hasPrefix("flagstaff.abrova."))
        #expect(name != Bundle.main.bundleIdentifier)
    }

    @Test func takesNoMoreThanTheSystemDoes() throws {
        try withSuite { name in
            let storage = UserDefaultsStorage(suiteName: name, limit: 100)
            try storage.write(Array(repeating: 1, count: 60), as: "a")
            #expect(throws: (any Error).self) { try storage.write(Array(repeating: 1, count: 60), as: "b") }
            #expect(try storage.read("b") == nil)
            // In place of what was there, it fits.
            try storage.write(Array(repeating: 2, count: 90), as: "a")
            #expect(try storage.read("a") == Array(repeating: 2, count: 90))
        }
    }

    @Test func whatOthersHaveInTheSuiteIsPassedOver() throws {
        try withSuite { name in
            let suite = try #require(UserDefaults(suiteName: name))
            suite.set("text", forKey: "foreign")
            let storage = UserDefaultsStorage(suiteName: name)
            #expect(try storage.read("foreign") == nil)
            #expect(try storage.entries().isEmpty)
        }
    }
}
