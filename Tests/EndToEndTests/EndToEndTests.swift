import Flagstaff
import Foundation
import Testing

@Suite struct EndToEndTests {
    @Test func aClientWithoutServiceServesDefaults() throws {
        let endpoint = try #require(URL(string: "http://127.0.0.1:1"))
        let flags = try FlagClient(FlagClientConfiguration(endpoint: endpoint))
        #expect(!flags.isEnabled("unknown"))
    }
}
