import Foundation
import Testing

@testable import Flagstaff
@testable import FlagstaffTesting

@Suite(.timeLimit(.minutes(3))) struct FlagTransportConformanceTests {
    @Test func theTransportOfAppsConforms() async {
        #expect(await FlagTransportConformance { URLSessionTransport() }.run() == [])
    }

    /// All requests of the suite go through the choice of an endpoint; both lead to the suite's own server.
    @Test func theChoiceOfAnEndpointConforms() async throws {
        let server = Box<URL?>(nil)
        let suite = FlagTransportConformance(
            patience: 30, shortTimeout: 1,
            makeServer: {
                let made = try LoopbackServer()
                server.value = made.url
                return made
            },
            {
                let base = URLSessionTransport()
                guard let url = server.value,
                    let second = URL(string: "//localhost:\(url.port ?? 0)", relativeTo: url)
                else { return base }
                var configuration = FlagClientConfiguration(endpoint: url)
                configuration.fallbackEndpoints = [second.absoluteURL]
                configuration.headerProvider = { ["X-Token": "t"] }
                configuration.logger = SilentLogger()
                guard let service = try? ServiceAddress(configuration) else { return base }
                return EndpointTransport(base, service, configuration, time: SystemTime())
            })
        #expect(await suite.run() == [])
        #expect(server.value != nil)
    }

    @Test func theTransportOfTheTestServiceConforms() async {
        #expect(await FlagTransportConformance.inMemory().run() == [])
    }

    @Test(arguments: FaultyTransport.Fault.allCases)
    func everyFaultIsFound(fault: FaultyTransport.Fault) async {
        let suite = FlagTransportConformance.inMemory(patience: 0.4) { FaultyTransport($0, fault) }
        let failures = await suite.run(stopsEarly: true)
        #expect(!failures.isEmpty)
        #expect(failures.allSatisfy { FlagTransportConformance.checkNames.contains($0.check) })
    }
}
