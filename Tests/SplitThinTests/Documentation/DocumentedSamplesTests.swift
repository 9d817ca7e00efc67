import FlagModel
import FlagstaffTesting
import SplitThin
import Testing

/// What the documentation's samples do.
@Suite(.timeLimit(.minutes(1))) struct DocumentedSamplesTests {
    @Test func factoriesAreMadeWithoutANetwork() async {
        for factory in [DocumentedSamples.initialize(), DocumentedSamples.configuration()] {
            #expect(factory?.getClient().target.key.matchingKey == "CUSTOMER_ID")
            await factory?.destroy()
        }
        await DocumentedSamples.clients()
        #expect(Set(DocumentedSamples.bucketing()).count == 1)
        #expect(DocumentedSamples.results().map(\.treatment) == ["on", "visa"])
    }

    @Test func configurationsHoldWhatTheySay() {
        let modes = DocumentedSamples.modes()
        #expect(modes[0].syncMode == .polling && modes[0].pollingRate == 120)
        #expect(modes[1].prefix == "my_app")
        #expect(modes[2].logLevel == .debug)
        let fallbacks = DocumentedSamples.fallbacks().map(\.fallbackTreatments)
        #expect(fallbacks[0].global?.config == "{\"reason\":\"global-fallback\"}")
        #expect(fallbacks[1].global == "off" && fallbacks[1].byFlag["checkout_v2"]?.treatment == "control_v1")
    }

    @Test func clientsReadTrackAndSwitch() async {
        let device = Device(["FEATURE_FLAG_NAME": ["color": "red"], "FEATURE_FLAG_NAME_1": true])
        let factory = device.factory(
            Target(matchingKey: "user", trafficType: "user"),
            SplitClientConfig.builder().set(configsEnabled: true).build())
        let client = factory.getClient()
        DocumentedSamples.listen(client)
        DocumentedSamples.subscribe(client)
        await client.ready()
        #expect(DocumentedSamples.config(client)?["color"] as? String == "red")
        #expect(DocumentedSamples.several(client).0?.map(\.treatment) == ["on", "control"])
        #expect(DocumentedSamples.several(client).1 == [])
        #expect(DocumentedSamples.track(client))
        #expect(DocumentedSamples.manager(factory) == ["FEATURE_FLAG_NAME", "FEATURE_FLAG_NAME_1"])
        DocumentedSamples.attributes(client)
        #expect(client.target.attributes["permissions"] as? [String] == ["read", "write"])
        DocumentedSamples.target(client)
        #expect(client.target.key.matchingKey == "user-456")
        await DocumentedSamples.shutdown(client, factory)
        #expect(device.service.telemetry.flatMap(\.reportedEvents).count == 4)
        #expect(!DocumentedSamples.track(client))
    }
}
