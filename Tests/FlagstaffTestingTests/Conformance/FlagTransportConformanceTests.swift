import Flagstaff
import FlagstaffTesting
import Testing

@Suite(.timeLimit(.minutes(3))) struct FlagTransportConformanceTests {
    @Test func theTransportOfAppsConforms() async {
        #expect(await FlagTransportConformance { URLSessionTransport() }.run() == [])
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
