import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite struct ServiceAddressTests {
    private func configuration(_ endpoint: String, key: String? = "k") throws -> FlagClientConfiguration {
        FlagClientConfiguration(endpoint: try #require(URL(string: endpoint)), key: key)
    }

    private func address(_ endpoint: String, key: String? = "k") throws -> ServiceAddress {
        try ServiceAddress(configuration(endpoint, key: key))
    }

    private func stream(_ url: String, _ kind: StreamKind = .notices) -> StreamRequest {
        StreamRequest(kind: kind, url: url, context: FlagContext(key: "u"), etag: "\"e\"", lastEventID: "7")
    }

    @Test(arguments: [
        ("https://flags.example.com", "https://flags.example.com/ofrep/v1/evaluate/flags"),
        ("https://flags.example.com/", "https://flags.example.com/ofrep/v1/evaluate/flags"),
        ("http://127.0.0.1:8080/a/b//", "http://127.0.0.1:8080/a/b/ofrep/v1/evaluate/flags"),
        ("https://h/a%20b", "https://h/a%20b/ofrep/v1/evaluate/flags"),
        ("http://[::1]:9000/x", "http://[::1]:9000/x/ofrep/v1/evaluate/flags"),
    ])
    func keepsThePathOfTheEndpoint(endpoint: String, expected: String) throws {
        let fetch = FetchRequest(context: FlagContext(key: "u"))
        let request = try #require(try address(endpoint).request(for: fetch, timeout: 10))
        #expect(request.url.absoluteString == expected)
        #expect(request.idleTimeout == 10)
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080/a/b", "http://127.0.0.1:8080"), ("https://H.example/", "https://H.example"),
        ("http://[::1]:9000/x", "http://[::1]:9000"),
    ])
    func announcedPathsAreBelowTheOrigin(endpoint: String, origin: String) throws {
        #expect(try address(endpoint).originText == origin)
    }

    @Test(arguments: [
        "flags.example.com", "/relative", "ftp://flags.example.com", "file:///flags", "https:///x",
        "https://h/?q=1", "https://h/#f", "https://user:hunter2@h/",
    ])
    func refusesEndpointsThatCannotWork(endpoint: String) throws {
        let error = #expect(throws: FlagClientError.self) { try self.address(endpoint) }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.message.contains("hunter2") == false)
    }

    @Test(arguments: ["", " ", "a b", "key\n", "kéy"])
    func refusesKeysThatCannotBeSent(key: String) {
        #expect(throws: FlagClientError.self) { try self.address("https://h", key: key) }
    }

    @Test(arguments: [
        ["": "x"], ["a b": "x"], ["X-A": "x\r\nEvil: 1"], ["content-type": "x"], ["Authorization": "x"],
    ])
    func refusesHeadersThatCannotBeSent(headers: [String: String]) throws {
        var configuration = try configuration("https://h")
        configuration.headers = headers
        #expect(throws: FlagClientError.self) { try ServiceAddress(configuration) }
    }

    @Test(
        arguments: [
            ([], nil), (["", "  "], nil), (["shop"], "flagSetId=shop"),
            (["shop ", "beta", "", "shop", "\na"], "flagSetId=a,beta,shop"), (["ü b"], "flagSetId=ü b"),
        ] as [([String], String?)])
    func flagSetsAreAskedForOfTheServiceAlone(flagSets: [String], selector: String?) throws {
        var configuration = try configuration("https://h")
        configuration.flagSets = flagSets
        let address = try ServiceAddress(configuration)
        let fetch = try #require(
            address.request(for: FetchRequest(context: FlagContext(key: "u")), timeout: 1))
        #expect(fetch.headers["Flagd-Selector"] == selector)
        let own = try #require(address.request(for: stream("https://h/s", .evaluations), idleTimeout: 1))
        #expect(own.headers["Flagd-Selector"] == selector)
        let other = try #require(address.request(for: stream("https://other/s"), idleTimeout: 1))
        #expect(other.headers["Flagd-Selector"] == nil)
    }

    @Test(arguments: ["a,b", "a\nb", "a\u{7F}"])
    func refusesFlagSetsThatCannotBeAskedFor(name: String) throws {
        var configuration = try configuration("https://h")
        configuration.flagSets = ["good", name]
        let error = #expect(throws: FlagClientError.self) { try ServiceAddress(configuration) }
        #expect(error?.code == .invalidConfiguration)
    }

    @Test(
        arguments: [
            (nil, nil), ("", nil), ("staging", "staging"), ("Zürich 1", "Z%C3%BCrich%201"),
            ("a\r\nb", "a%0D%0Ab"),
        ] as [(String?, String?)])
    func environmentIsNamedInAHeader(environment: String?, header: String?) throws {
        var configuration = FlagClientConfiguration(endpoint: try #require(URL(string: "https://flags.test")))
        configuration.environment = environment
        let service = try ServiceAddress(configuration)
        let fetch = try #require(service.request(for: FetchRequest(context: FlagContext()), timeout: 1))
        #expect(fetch.headers["X-Flagstaff-Environment"] == header)
    }

    @Test func environmentAndAHeaderForItExcludeEachOther() throws {
        var configuration = FlagClientConfiguration(endpoint: try #require(URL(string: "https://flags.test")))
        configuration.environment = "staging"
        configuration.headers = ["x-flagstaff-environment": "production"]
        #expect(throws: FlagClientError.self) { try ServiceAddress(configuration) }
    }

    @Test func flagSetsAndASelectorExcludeEachOther() throws {
        var configuration = try configuration("https://h")
        configuration.headers = ["flagd-selector": "flagSetId=a"]
        #expect(throws: Never.self) { try ServiceAddress(configuration) }
        configuration.flagSets = ["b"]
        #expect(throws: FlagClientError.self) { try ServiceAddress(configuration) }
    }

    @Test(arguments: ["flags.example.com", "ftp://h", "https://h/?q=1", "https://user:hunter2@h/"])
    func checksFallbackEndpointsLikeTheFirst(endpoint: String) throws {
        var configuration = try configuration("https://h")
        configuration.fallbackEndpoints = [
            try #require(URL(string: "https://b")), try #require(URL(string: endpoint)),
        ]
        let error = #expect(throws: FlagClientError.self) { try ServiceAddress(configuration) }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.message.hasPrefix("fallback endpoint 2 ") == true)
        #expect(error?.message.contains("hunter2") == false)
    }

    @Test func noEndpointIsThereTwice() throws {
        var configuration = try configuration("https://h/p")
        configuration.fallbackEndpoints = try ["https://h/p/", "https://h/q", "https://h/q"].map {
            try #require(URL(string: $0))
        }
        let address = try ServiceAddress(configuration)
        #expect(address.endpoints.map(\.base) == ["https://h/p", "https://h/q"])
    }

    @Test func noticesDoNotComeInClearWhereAnyEndpointIsNot() throws {
        var configuration = try configuration("http://a")
        #expect(
            try ServiceAddress(configuration).request(for: stream("http://other/s"), idleTimeout: 1) != nil)
        configuration.fallbackEndpoints = [try #require(URL(string: "https://b"))]
        let address = try ServiceAddress(configuration)
        #expect(address.request(for: stream("http://other/s"), idleTimeout: 1) == nil)
        #expect(address.request(for: stream("http://a/s"), idleTimeout: 1) != nil)
        #expect(address.request(for: stream("https://b/s", .evaluations), idleTimeout: 1) != nil)
    }

    @Test func keyIsOptional() throws {
        let fetch = FetchRequest(context: FlagContext(key: "u"))
        let request = try #require(try address("https://h", key: nil).request(for: fetch, timeout: 1))
        #expect(request.headers["Authorization"] == nil)
    }

    @Test func bodyIsTheContextWithSortedNames() throws {
        let context = FlagContext(key: "a+b@c.de", attributes: ["z": 1, "a": ["ü": "+&\"%"]])
        let request = try #require(
            try address("https://h").request(for: FetchRequest(context: context), timeout: 1))
        let body = String(decoding: request.body ?? [], as: UTF8.self)
        #expect(body == #"{"context":{"a":{"ü":"+&\"%"},"targetingKey":"a+b@c.de","z":1}}"#)
    }

    @Test(arguments: [
        ("\"abc\"", "%22abc%22"), ("a+b", "a%2Bb"), ("a b&c=d", "a%20b%26c%3Dd"),
        ("W/\"ä\"", "W%2F%22%C3%A4%22"),
        ("50%", "50%25"), ("a-b.c_d~e", "a-b.c_d~e"), ("\n", "%0A"), ("😀", "%F0%9F%98%80"), ("", ""),
    ])
    func noticeGoesBackEncoded(etag: String, expected: String) throws {
        let fetch = FetchRequest(
            context: FlagContext(),
            notice: RefetchNotice(etag: etag, lastModified: "2026-01-01T00:00:00+02:00"))
        let request = try #require(try address("https://h").request(for: fetch, timeout: 1))
        #expect(
            request.url.absoluteString
                == "https://h/ofrep/v1/evaluate/flags?flagConfigEtag=\(expected)"
                + "&flagConfigLastModified=2026-01-01T00%3A00%3A00%2B02%3A00")
    }

    @Test func ourStreamIsAskedForLikeABulkEvaluation() throws {
        let request = try #require(
            try address("https://h/p").request(
                for: stream("https://h/flagstaff/v1/evaluations", .evaluations), idleTimeout: 60))
        #expect(request.method == "POST")
        #expect(request.headers["Accept"] == "text/event-stream")
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(request.headers["If-None-Match"] == "\"e\"")
        #expect(request.headers["Last-Event-ID"] == "7")
        #expect(request.headers["Authorization"] == "Bearer k")
        #expect(request.body == OFREPContext.body(for: FlagContext(key: "u")))
    }

    @Test(arguments: [
        ("https://h/sse?token=1", true), ("https://H:443/sse", true), ("http://h/sse", false),
        ("https://h:8443/sse", false), ("https://other/sse", false), ("https://h.evil.com/sse", false),
    ])
    func secretsGoToTheEndpointsOwnOriginOnly(url: String, isOwn: Bool) throws {
        var configuration = try configuration("https://h/p")
        configuration.headers = ["X-Tenant": "t"]
        let address = try ServiceAddress(configuration)
        // The context is a secret as well: no stream elsewhere is sent it.
        let evaluations = address.request(for: stream(url, .evaluations), idleTimeout: 60)
        #expect((evaluations != nil) == isOwn)
        let notices = address.request(for: stream(url, .notices), idleTimeout: 60)
        // An address can hold a token, which does not go in clear where the service itself is not.
        #expect((notices != nil) == url.lowercased().hasPrefix("https:"))
        for request in [evaluations, notices].compactMap({ $0 }) {
            #expect((request.headers["Authorization"] != nil) == isOwn)
            #expect((request.headers["X-Tenant"] != nil) == isOwn)
        }
        if let notices {
            #expect(notices.method == "GET")
            #expect(notices.body == nil)
        }
    }

    @Test(arguments: ["", "no url", "ftp://h/x", "javascript:1", "/only/path"])
    func announcedRubbishIsNoRequest(url: String) throws {
        #expect(try address("https://h").request(for: stream(url), idleTimeout: 60) == nil)
    }

    @Test func descriptionsHoldNoSecret() throws {
        let configuration = try configuration("https://h/p", key: "client-secret")
        #expect(configuration.description == "FlagClientConfiguration(host h, streaming, key set)")
    }
}
