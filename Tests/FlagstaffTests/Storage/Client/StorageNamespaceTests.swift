import Foundation
import Testing

@testable import Flagstaff

@Suite struct StorageNamespaceTests {
    private func name(
        _ endpoint: String = "https://flags.example.com", key: String? = "client-secret",
        storageName: String? = nil,
        headers: [String: String] = [:], environment: String? = nil
    ) throws -> String {
        var configuration = FlagClientConfiguration(endpoint: try #require(URL(string: endpoint)), key: key)
        configuration.headers = headers
        configuration.environment = environment
        return StorageNamespace(service: try ServiceAddress(configuration), storageName: storageName).name
    }

    @Test func isADigestThatShowsNothing() throws {
        let name = try name()
        #expect(name.utf8.count == 32)
        #expect(name.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) })
    }

    @Test func isTheSameInEveryRun() throws {
        #expect(try name() == name())
        #expect(try name("https://flags.example.com/") == name())
        // A header that changes with each version of an app is no reason to forget its values.
        #expect(try name(headers: ["User-Agent": "app/1"]) == name(headers: ["User-Agent": "app/2"]))
    }

    @Test func differsWithServiceKeyAndName() throws {
        let names = try [
            name(), name("https://flags.example.com/tenant"), name("http://flags.example.com"),
            name("https://flags.example.org"), name(key: "client-other"), name(key: nil),
            name(storageName: "a"), name(storageName: "b"), name(key: nil, headers: ["X-API-Key": "1"]),
            name(key: nil, headers: ["X-API-Key": "2"]), name(key: nil, headers: ["Authorization": "2"]),
            name(environment: "staging"), name(environment: "production"),
            StorageNamespace(identityOf: nil).name, StorageNamespace(identityOf: "a").name,
        ]
        #expect(Set(names).count == names.count)
    }
}
