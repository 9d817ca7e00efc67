import Testing

@testable import HTTPServer

@Suite struct HTTPQueryTests {
    @Test func keepsOrderAndDuplicates() {
        let items = HTTPQuery.items(of: "a=1&b=2&a=3")
        #expect(
            items == [
                HTTPQueryItem(name: "a", value: "1"), HTTPQueryItem(name: "b", value: "2"),
                HTTPQueryItem(name: "a", value: "3"),
            ])
    }

    @Test func tellsAnEmptyValueFromNone() {
        #expect(
            HTTPQuery.items(of: "a&b=&=c") == [
                HTTPQueryItem(name: "a", value: nil), HTTPQueryItem(name: "b", value: ""),
                HTTPQueryItem(name: "", value: "c"),
            ])
    }

    @Test func decodesNamesAndValues() {
        #expect(
            HTTPQuery.items(of: "a%26b=c+d%3De=f%00") == [HTTPQueryItem(name: "a&b", value: "c d=e=f\0")])
    }

    @Test func skipsEmptyParts() {
        #expect(HTTPQuery.items(of: "&&a=1&") == [HTTPQueryItem(name: "a", value: "1")])
        #expect(HTTPQuery.items(of: "") == [])
    }

    @Test(arguments: ["a=%", "%2=b", "a=1&b=%FF"])
    func isNilWhenAnyPartIsNotEncodedProperly(_ query: String) {
        #expect(HTTPQuery.items(of: query) == nil)
    }
}
