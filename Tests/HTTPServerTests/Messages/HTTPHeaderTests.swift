import Testing

@testable import HTTPServer

@Suite struct HTTPHeaderTests {
    @Test func comparesNamesWithoutRegardToCase() {
        let header = HTTPHeader("X-Api-Key", "secret")
        #expect(header.isNamed("x-api-key"))
        #expect(header.isNamed("X-API-KEY"))
        #expect(!header.isNamed("x-api-keys"))
        #expect(!header.isNamed("x_api_key"))
    }

    @Test func differingByBit5IsNotEnoughOutsideLetters() {
        // "[" and "{" differ by the bit that tells cases apart.
        #expect(!HTTPHeader("a[", "").isNamed("a{"))
        #expect(!HTTPHeader("a@", "").isNamed("a`"))
    }
}
