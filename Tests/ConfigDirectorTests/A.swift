@testable import ConfigDirector
@testable import ConfigDirectorTesting
import Flagstaff
import FlagstaffTesting
import Testing

@Suite struct Probe {
    @Test func race() async {
        var bad = 0
        for _ in 0..<300 {
            let testClient = makeTestClient(values: ["n": 1])
            let client = testClient.client
            await client.initialize()
            testClient.holdContextUpdate()
            let count = testClient.contextUpdates.count
            let call = Task { await testClient.client.updateContext(ConfigDirectorContext(id: "u")) }
            while testClient.contextUpdates.count == count || testClient.client.isReady { await Task.yield() }
            let held = testClient.service.heldRequests.map(\.kinds)
            testClient.completeContextUpdate()
            let c1 = client.hub.connection
            let snap = client.flags.snapshot
            if !client.isReady {
                bad += 1
                if bad < 3 { print("HELD", held, "CONN", c1, "SNAP", snap.version, snap.isStale, snap.isReady, client.flags.status) }
            }
            await call.value
            client.close()
        }
        print("BAD", bad)
    }
}
