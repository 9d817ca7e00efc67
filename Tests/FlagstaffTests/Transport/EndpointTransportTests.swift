import FlagLocking
import FlagModel
import Foundation
import Testing

@testable import Flagstaff

/// Failover and headers of the moment, over a transport in memory and a clock in the hand of the test.
@Suite struct EndpointTransportTests {
    private typealias Answer = Result<FlagTransportResponse, FlagTransportError>

    private struct Fixture {
        let network = MemoryTransport()
        let time = ManualTime()
        let service: ServiceAddress
        let transport: EndpointTransport
        let answers = Recorder<Answer>()

        init(
            _ endpoints: [String] = ["https://a.test/base/", "https://b.test/", "http://c.test:81"],
            change: (inout FlagClientConfiguration) -> Void = { _ in }
        ) throws {
            let urls = try endpoints.map { try #require(URL(string: $0)) }
            var configuration = FlagClientConfiguration(endpoint: urls[0], key: "k")
            configuration.fallbackEndpoints = Array(urls.dropFirst())
            configuration.logger = SilentLogger()
            change(&configuration)
            service = try ServiceAddress(configuration)
            transport = EndpointTransport(network, service, configuration, time: time)
        }

        func send(_ id: Int, timeout: Double = 10) throws {
            let fetch = FetchRequest(context: FlagContext(key: "u"))
            let request = try #require(service.request(for: fetch, timeout: timeout))
            transport.send(request, id: id) { [answers] in answers.record($0) }
        }

        func open(_ url: String, id: Int, kind: StreamKind = .notices) throws {
            let stream = StreamRequest(kind: kind, url: url, context: FlagContext(key: "u"))
            let request = try #require(service.request(for: stream, idleTimeout: 60))
            transport.open(request, id: id) { _ in }
        }

        var urls: [String] { network.exchanges.elements.map(\.request.url.absoluteString) }
        var timeouts: [Double] { network.exchanges.elements.map(\.request.idleTimeout) }

        var statuses: [Int?] {
            answers.elements.map { if case .success(let response) = $0 { response.head.status } else { nil } }
        }

        var faults: [FlagTransportError.Kind?] {
            answers.elements.map { if case .failure(let error) = $0 { error.kind } else { nil } }
        }
    }

    // MARK: Failover

    @Test func goesOnToTheNextEndpointWithKeyAndBody() throws {
        let fixture = try Fixture()
        try fixture.send(1)
        fixture.network.exchanges.elements[0].fail()
        fixture.network.exchanges.elements[1].answer(503, ["Retry-After": "60"])
        fixture.network.exchanges.elements[2].answer(200)
        #expect(
            fixture.urls == [
                "https://a.test/base/ofrep/v1/evaluate/flags", "https://b.test/ofrep/v1/evaluate/flags",
                "http://c.test:81/ofrep/v1/evaluate/flags",
            ])
        #expect(fixture.statuses == [200])
        let requests = fixture.network.exchanges.elements.map(\.request)
        #expect(requests.allSatisfy { $0.headers["Authorization"] == "Bearer k" })
        #expect(Set(requests.map(\.body)).count == 1)
        #expect(Set(fixture.network.exchanges.elements.map(\.id)).count == 3)
        #expect(fixture.time.timerCount == 0)
    }

    @Test func silentEndpointsLeaveTimeForTheOthersWithinTheWhole() throws {
        let fixture = try Fixture()
        try fixture.send(1)
        fixture.time.advance(by: 4)
        #expect(fixture.urls.count == 2)
        #expect(fixture.network.cutIDs == [1])
        fixture.time.advance(by: 2.4)
        #expect(fixture.urls.count == 3)
        #expect(zip(fixture.timeouts, [4, 2.4, 3.6]).allSatisfy { abs($0 - $1) < 0.001 })
        #expect(fixture.answers.elements.isEmpty)
        // What comes of a request that was given up is too late.
        fixture.network.exchanges.elements[0].answer(200)
        #expect(fixture.answers.elements.isEmpty)
        fixture.network.exchanges.elements[2].answer(304)
        #expect(fixture.statuses == [304])
    }

    @Test func staysWithTheEndpointThatWorksAndComesBackLater() throws {
        let fixture = try Fixture()
        try fixture.send(1)
        fixture.network.exchanges.elements[0].fail()
        fixture.network.exchanges.elements[1].answer(200)
        try fixture.send(2)
        #expect(fixture.urls.last?.hasPrefix("https://b.test/") == true)
        fixture.network.exchanges.elements[2].answer(200)
        fixture.time.advance(by: 601)
        try fixture.send(3)
        #expect(fixture.urls.last?.hasPrefix("https://a.test/base/") == true)
        fixture.network.exchanges.elements[3].answer(200)
        #expect(fixture.statuses == [200, 200, 200])
    }

    @Test(arguments: [400, 401, 403, 404, 429])
    func aRefusalIsAnAnswer(status: Int) throws {
        let fixture = try Fixture()
        try fixture.send(1)
        fixture.network.exchanges.elements[0].answer(status, ["Retry-After": "5"])
        #expect(fixture.urls.count == 1)
        #expect(fixture.statuses == [status])
    }

    @Test func theLastFailureIsToldWhenAllFail() throws {
        let fixture = try Fixture()
        try fixture.send(1)
        fixture.network.exchanges.elements[0].fail()
        fixture.network.exchanges.elements[1].fail()
        fixture.network.exchanges.elements[2].answer(500)
        #expect(fixture.statuses == [500])
        try fixture.send(2)
        #expect(fixture.urls.last?.hasPrefix("https://a.test/base/") == true)
    }

    // MARK: Ends

    @Test func cutRequestEndsOnceAndGoesNoFurther() throws {
        let fixture = try Fixture()
        try fixture.send(1)
        fixture.network.exchanges.elements[0].fail()
        fixture.transport.cancel(1)
        fixture.transport.cancel(1)
        let leg = fixture.network.exchanges.elements[1]
        #expect(fixture.network.cutIDs.contains(leg.id))
        leg.fail()
        #expect(fixture.faults == [.cancelled])
        #expect(fixture.urls.count == 2)
        #expect(fixture.time.timerCount == 0)
    }

    @Test func requestCutInMidSwitchIsCutAtItsNewEndpoint() throws {
        let network = CuttingTransport()
        let configuration = try Self.twoEndpoints()
        let service = try ServiceAddress(configuration)
        let transport = EndpointTransport(network, service, configuration, time: ManualTime())
        // The second request is cut from within its sending, before anyone can know of it.
        network.onSend.withLock { $0 = { if $0 != 1 { transport.cancel(1) } } }
        let answers = Recorder<Answer>()
        let fetch = FetchRequest(context: FlagContext(key: "u"))
        let request = try #require(service.request(for: fetch, timeout: 10))
        transport.send(request, id: 1) { answers.record($0) }
        #expect(answers.elements.count == 1)
        #expect(network.open.withLock { $0 } == [])
        transport.close()
        network.onSend.withLock { $0 = { _ in } }
    }

    @Test func closingEndsWhatIsUnderWay() throws {
        let fixture = try Fixture()
        try fixture.send(1)
        try fixture.send(2)
        fixture.transport.close()
        #expect(fixture.faults == [.cancelled, .cancelled])
        #expect(fixture.network.isClosed)
        #expect(fixture.time.timerCount == 0)
        for exchange in fixture.network.exchanges.elements { exchange.fail() }
        #expect(fixture.answers.elements.count == 2)
    }

    // MARK: Streams

    @Test func announcedPathsBelongToTheEndpointThatAnnouncedThem() throws {
        let fixture = try Fixture()
        let path = fixture.service.originText + "/flagstaff/v1/evaluations?x=%2B"
        try fixture.open(path, id: 1, kind: .evaluations)
        try fixture.send(2)
        fixture.network.exchanges.elements[0].fail()
        fixture.network.exchanges.elements[1].fail()
        fixture.network.exchanges.elements[2].answer(200)
        try fixture.open(path, id: 3, kind: .evaluations)
        let streams = fixture.network.streams.elements
        #expect(
            streams.map(\.request.url.absoluteString) == [
                "https://a.test/flagstaff/v1/evaluations?x=%2B",
                "http://c.test:81/flagstaff/v1/evaluations?x=%2B",
            ])
        #expect(streams.map(\.id) == [1, 3])
        #expect(streams.allSatisfy { $0.request.headers["Authorization"] == "Bearer k" })
    }

    @Test func refusalAnnouncesNothing() throws {
        let fixture = try Fixture()
        try fixture.send(1)
        fixture.network.exchanges.elements[0].fail()
        fixture.network.exchanges.elements[1].answer(429)
        try fixture.open(fixture.service.originText + "/s", id: 2)
        #expect(fixture.network.streams.elements[0].request.url.absoluteString == "https://a.test/s")
    }

    @Test func wholeAddressesAreKept() throws {
        let fixture = try Fixture { $0.headerProvider = { ["X-Token": "t"] } }
        try fixture.open("https://b.test/s", id: 1, kind: .evaluations)
        try fixture.open("https://other.test/s", id: 2)
        let streams = fixture.network.streams.elements
        #expect(streams.map(\.request.url.absoluteString) == ["https://b.test/s", "https://other.test/s"])
        #expect(streams.map { $0.request.headers["Authorization"] } == ["Bearer k", nil])
        #expect(streams.map { $0.request.headers["X-Token"] } == ["t", nil])
    }

    // MARK: Headers of the moment

    @Test func asksOnceForEachRequestAndMergesOverTheFixed() throws {
        let calls = Lock(0)
        let fixture = try Fixture {
            $0.headers = ["X-Tenant": "fixed", "X-Kept": "kept"]
            $0.headerProvider = {
                let call = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                return ["x-tenant": "t\(call)", "Authorization": "Bearer r\(call)"]
            }
        }
        try fixture.send(1)
        fixture.network.exchanges.elements[0].fail()
        fixture.network.exchanges.elements[1].answer(200)
        try fixture.send(2)
        let headers = fixture.network.exchanges.elements.map(\.request.headers)
        #expect(headers.map { $0["x-tenant"] } == ["t1", "t1", "t2"])
        #expect(headers.map { $0["Authorization"] } == ["Bearer r1", "Bearer r1", "Bearer r2"])
        #expect(headers.allSatisfy { $0["X-Kept"] == "kept" && $0["X-Tenant"] == nil })
        #expect(headers.allSatisfy { $0["Content-Type"] == "application/json" })
    }

    @Test func leavesOutWhatCannotBeSentAndSaysSoOnce() throws {
        let log = RecordingLogger()
        let fixture = try Fixture(["https://a.test"]) {
            $0.logger = log
            $0.headerProvider = {
                ["X-Bad": "hush\r\nX-Evil: 1", "Content-Type": "text/plain", "bad name": "1", "X-Good": "g"]
            }
        }
        try fixture.send(1)
        try fixture.send(2)
        for exchange in fixture.network.exchanges.elements {
            #expect(exchange.request.headers["X-Bad"] == nil)
            #expect(exchange.request.headers["bad name"] == nil)
            #expect(exchange.request.headers["Content-Type"] == "application/json")
            #expect(exchange.request.headers["X-Good"] == "g")
        }
        #expect(log.messages.elements.count == 3)
        #expect(!log.messages.elements.contains { $0.contains("hush") })
    }

    @Test(arguments: [true, false])
    func selectorOfTheMomentDoesNotReplaceFlagSets(hasFlagSets: Bool) throws {
        let fixture = try Fixture(["https://a.test"]) {
            if hasFlagSets { $0.flagSets = ["a"] } else { $0.headers = ["Flagd-Selector": "flagSetId=c"] }
            $0.headerProvider = { ["flagd-selector": "flagSetId=b"] }
        }
        try fixture.send(1)
        let headers = fixture.network.exchanges.elements[0].request.headers
        #expect(headers["Flagd-Selector"] == (hasFlagSets ? "flagSetId=a" : nil))
        #expect(headers["flagd-selector"] == (hasFlagSets ? nil : "flagSetId=b"))
    }

    @Test func providerRunsOutsideAnyLock() throws {
        let transport = Lock<EndpointTransport?>(nil)
        let fixture = try Fixture {
            $0.headerProvider = {
                transport.withLock { $0 }?.cancel(7)
                return [:]
            }
        }
        transport.withLock { $0 = fixture.transport }
        try fixture.send(1)
        #expect(fixture.urls.count == 1)
        transport.withLock { $0 = nil }
    }

    // MARK: Making

    @Test func nothingIsPutInFrontWhereNothingIsAskedFor() throws {
        let network = MemoryTransport()
        var configuration = try Self.twoEndpoints()
        configuration.fallbackEndpoints = [configuration.endpoint]
        let service = try ServiceAddress(configuration)
        let transport = EndpointTransport.wrapping(network, service, configuration, time: ManualTime())
        #expect(transport is MemoryTransport)
    }

    private static func twoEndpoints() throws -> FlagClientConfiguration {
        var configuration = FlagClientConfiguration(endpoint: try #require(URL(string: "https://a.test")))
        configuration.fallbackEndpoints = [try #require(URL(string: "https://b.test"))]
        configuration.logger = SilentLogger()
        return configuration
    }
}

/// A network on which the first endpoint fails at once, and which knows what is open.
private final class CuttingTransport: FlagTransport {
    let onSend = Lock<@Sendable (Int) -> Void>({ _ in })
    let open = Lock<Set<Int>>([])

    func send(
        _ request: FlagTransportRequest, id: Int,
        completion: @escaping @Sendable (Result<FlagTransportResponse, FlagTransportError>) -> Void
    ) {
        onSend.withLock { $0 }(id)
        if id == 1 { return completion(.failure(FlagTransportError(kind: .network, message: ""))) }
        open.withLock { _ = $0.insert(id) }
    }

    func open(
        _ request: FlagTransportRequest, id: Int, receive: @escaping @Sendable (FlagTransportSignal) -> Void
    ) {}

    func cancel(_ id: Int) {
        open.withLock { _ = $0.remove(id) }
    }

    func close() {}
}

private struct RecordingLogger: FlagLogger {
    let level = FlagLogLevel.warning
    let messages = Recorder<String>()

    func log(_ level: FlagLogLevel, _ message: String) {
        messages.record(message)
    }
}
