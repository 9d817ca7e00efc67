import Testing

@testable import FlagService

@Suite struct ClientKeysTests {
    @Test func knowsItsKeysAndNoOthers() throws {
        let keys = try ClientKeys(["alpha", "beta", "alpha"])
        #expect(keys.count == 2)
        #expect(keys.id(for: "alpha") != nil)
        #expect(keys.id(for: "alpha") != keys.id(for: "beta"))
        for stranger in ["", "Alpha", "alph", "alpha ", "gamma"] { #expect(keys.id(for: stranger) == nil) }
    }

    @Test func isOpenWithoutKeys() throws {
        #expect(try ClientKeys([]).isOpen)
        #expect(try !ClientKeys(["a"]).isOpen)
    }

    @Test(arguments: ["", " ", "a b", "a\n", "tab\t", "\u{7F}"])
    func refusesKeysThatNoHeaderCarries(key: String) {
        #expect(throws: ClientKeys.Refusal.self) { try ClientKeys([key]) }
    }

    @Test func readsAFileOfKeys() {
        #expect(
            ClientKeys.lines(of: "# the app\n alpha \r\n\n\tbeta\n#gamma\ndelta") == [
                "alpha", "beta", "delta",
            ])
    }

    @Test(
        arguments: [
            ("Bearer k", nil, "k"), ("bearer k", nil, "k"), ("BEARER  k", nil, "k"), (nil, "k", "k"),
            ("Bearer k", "x", "k"),
            ("Basic k", "x", "x"), ("Basic k", nil, nil), ("Bearer", nil, nil), (nil, nil, nil),
        ] as [(String?, String?, String?)])
    func findsThePresentedKey(authorization: String?, apiKey: String?, key: String?) {
        let presented = ClientKeys.presented(authorization: authorization, apiKey: apiKey)
        #expect(presented == key)
    }

    @Test func admitsByStreamToken() throws {
        let keys = try ClientKeys(["alpha", "beta"])
        let id = try #require(keys.id(for: "beta"))
        let token = ClientKeys.streamToken(for: id)
        #expect(keys.id(forStreamToken: token) == id)
        #expect(keys.id(forStreamToken: "beta") == nil)
        #expect(keys.id(forStreamToken: "") == nil)
        #expect(keys.id(for: token) == nil)
        #expect(!token.contains(id.description))
    }
}
