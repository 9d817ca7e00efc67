import Testing

@testable import FlagService

@Suite struct CORSPolicyTests {
    private func headers(_ policy: CORSPolicy, _ origin: String?) -> [String: String] {
        Dictionary(uniqueKeysWithValues: policy.headers(forOrigin: origin))
    }

    @Test func letsNoPageInByDefault() {
        #expect(headers(CORSPolicy(), "https://a.example").isEmpty)
    }

    @Test func namesTheOriginThatIsAllowed() {
        let policy = CORSPolicy(allowedOrigins: ["https://a.example", "https://b.example"])
        let allowed = headers(policy, "https://b.example")
        #expect(allowed["Access-Control-Allow-Origin"] == "https://b.example")
        #expect(allowed["Vary"] == "Origin")
        #expect(allowed["Access-Control-Expose-Headers"] == "ETag, Retry-After")
    }

    @Test(arguments: [nil, "https://evil.example", "https://a.example.evil.example", "null"])
    func refusesOthersButTellsCachesThatItDepends(origin: String?) {
        #expect(headers(CORSPolicy(allowedOrigins: ["https://a.example"]), origin) == ["Vary": "Origin"])
    }

    @Test func fitsAllOriginsAtOnceWhereThatIsPossible() {
        #expect(CORSPolicy().headersForAnyOrigin.isEmpty)
        #expect(CORSPolicy(allowedOrigins: ["*"]).headersForAnyOrigin.first?.1 == "*")
        #expect(
            CORSPolicy(allowedOrigins: ["https://a.example"]).headersForAnyOrigin.first?.1
                == "https://a.example")
        #expect(
            CORSPolicy(allowedOrigins: ["https://a.example", "https://b.example"]).headersForAnyOrigin.isEmpty
        )
    }

    @Test func knowsAnOriginFromOtherTexts() {
        for origin in ["*", "https://a.example", "http://localhost:3000", "https://[::1]:8080"] {
            #expect(CORSPolicy.isOrigin(origin))
        }
        for text in [
            "", "nonsense", "a.example", "https://", "https://a.example/", "https://a/b", "ftp://a",
            "https://a b",
        ] {
            #expect(!CORSPolicy.isOrigin(text))
        }
    }

    @Test func letsAllPagesInForAStar() {
        let all = headers(CORSPolicy(allowedOrigins: ["*"]), "https://any.example")
        #expect(all["Access-Control-Allow-Origin"] == "*")
        #expect(all["Vary"] == nil)
    }
}
