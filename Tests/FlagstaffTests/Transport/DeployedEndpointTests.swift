import Foundation
import Testing

@testable import Flagstaff

@Suite struct DeployedEndpointTests {
    private func choice(_ variable: String?, _ property: Any?) -> (url: String, warnings: [String]) {
        let choice = DeployedEndpoint(variable: variable, property: property).choice
        return (choice.url.absoluteString, choice.warnings)
    }

    @Test func variableComesBeforeTheProperty() {
        let (url, warnings) = choice("https://one.test/x", "https://two.test")
        #expect(url == "https://one.test/x")
        #expect(warnings.isEmpty)
    }

    @Test func propertyStandsInForTheVariable() {
        let (url, warnings) = choice(nil, " https://two.test ")
        #expect(url == "https://two.test")
        #expect(warnings.isEmpty)
    }

    @Test(arguments: [
        "", "two.test", "ftp://two.test", "https://", "https://u:p@two.test", "https://two.test?key=1",
    ])
    func whatIsNoAddressIsPassedOverWithAWarningThatDoesNotRepeatIt(text: String) throws {
        let (url, warnings) = choice(text, "https://two.test")
        #expect(url == "https://two.test")
        #expect(warnings.count == 1)
        let warning = try #require(warnings.first)
        #expect(warning.contains("FLAGSTAFF_ENDPOINT"))
        #expect(!warning.contains("u:p@"))
    }

    @Test func propertyOfAnotherTypeIsPassedOver() {
        let (url, warnings) = choice(nil, 8080)
        #expect(url == "http://127.0.0.1:8080")
        #expect(warnings.count == 2)
    }

    @Test func withoutEitherThisDeviceIsAskedAndThatIsSaid() {
        let (url, warnings) = choice(nil, nil)
        #expect(url == "http://127.0.0.1:8080")
        #expect(warnings.count == 1)
        #expect(warnings[0].contains("FLAGSTAFF_ENDPOINT"))
        #expect(warnings[0].contains("FlagstaffEndpoint"))
    }
}
