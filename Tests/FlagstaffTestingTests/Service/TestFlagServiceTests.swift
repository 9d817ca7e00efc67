import FlagstaffTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct TestFlagServiceTests {
    @Test func startReturnsAtOnceWithTheValues() async throws {
        let service = TestFlagService(values: ["new-checkout": true, "max-items": 20])
        let flags = service.makeClient()
        #expect(flags.status.connection == .idle)
        #expect(service.requests.isEmpty)
        #expect(await flags.start(context: FlagContext(key: "ada")) == .fresh)
        #expect(flags.isEnabled("new-checkout"))
        #expect(flags.value(for: "max-items", default: 0) == 20)
        #expect(flags.status.connection == .streaming)
        #expect(service.openStreamCount == 1)
    }

    @Test func aValueThatIsSetHasArrivedWhenTheCallReturns() async throws {
        let service = TestFlagService(values: ["a": 1, "b": 1])
        let flags = await service.makeStartedClient()
        for value in 2...100 {
            service.setValue(.int(Int64(value)), for: "a")
            #expect(flags.value(for: "a", default: 0) == value)
        }
        service.setValues(["a": "x", "c": [1, 2]])
        #expect(flags.value(for: "a", default: "") == "x")
        #expect(flags.value(for: "c", default: FlagValue.null) == [1, 2])
        #expect(flags.value(for: "b", default: 0) == 1)
        #expect(service.values == ["a": "x", "b": 1, "c": [1, 2]])
        // One request and one stream carried all of it.
        #expect(service.requests.map(\.kinds) == [[.start], [.stream]])
    }

    @Test func removedAndReplacedValuesGiveDefaults() async throws {
        let service = TestFlagService(values: ["a": 1, "b": 1])
        let flags = await service.makeStartedClient()
        service.removeValue(for: "a")
        #expect(flags.value(for: "a", default: 7) == 7)
        #expect(flags.evaluation(of: "a", default: 7).errorCode == .flagNotFound)
        service.removeValue(for: "b", sendingAll: true)
        #expect(flags.snapshot.keys.isEmpty)
        service.removeValue(for: "unknown")
        service.replaceValues(["c": true])
        #expect(flags.snapshot.keys == ["c"])
        service.replaceValues([:])
        #expect(flags.snapshot.keys.isEmpty)
        #expect(flags.status.isReady)
    }

    @Test func resolutionsAreServedWithAllTheirParts() async throws {
        let theme = FlagResolution(
            key: "theme", value: "dark", variant: "night", reason: .targetingMatch, metadata: ["owner": "web"]
        )
        let broken = FlagResolution(
            key: "broken", reason: .error, errorCode: .parseError, errorDetails: "no such rule")
        let service = TestFlagService()
        service.replaceResolutions([theme])
        service.metadata = ["flagSetId": "shop"]
        let flags = await service.makeStartedClient()
        service.setResolution(broken)
        #expect(service.resolutions == [broken, theme])
        let evaluation = flags.evaluation(of: "theme", default: "light")
        #expect(evaluation.value == "dark")
        #expect(evaluation.variant == "night")
        #expect(evaluation.reason == .targetingMatch)
        #expect(evaluation.metadata == ["owner": "web"])
        let failed = flags.evaluation(of: "broken", default: "fallback")
        #expect(failed.value == "fallback")
        #expect(failed.errorCode == .parseError)
        #expect(failed.errorDetails == "no such rule")
        #expect(flags.snapshot.metadata == ["flagSetId": "shop"])
        service.metadata = ["flagSetId": "bank"]
        #expect(flags.snapshot.metadata == ["flagSetId": "bank"])
    }

    @Test func everyContextCanHaveValuesOfItsOwn() async throws {
        let service = TestFlagService(values: ["max-items": 10])
        service.evaluate { context in
            context.attributes["plan"] == "pro" ? .values(["max-items": 100]) : []
        }
        let pro = await service.makeStartedClient(
            context: FlagContext(key: "ada", attributes: ["plan": "pro"]))
        let free = await service.makeStartedClient(context: FlagContext(key: "bob"))
        #expect(pro.value(for: "max-items", default: 0) == 100)
        #expect(free.value(for: "max-items", default: 0) == 10)
        service.setValue(20, for: "max-items")
        #expect(pro.value(for: "max-items", default: 0) == 100)
        #expect(free.value(for: "max-items", default: 0) == 20)
        #expect(await pro.setContext(FlagContext(key: "bob")) == .fresh)
        #expect(pro.value(for: "max-items", default: 0) == 20)
        service.evaluate { context in .values(["who": .string(context.targetingKey ?? "")]) }
        #expect(pro.value(for: "who", default: "") == "bob")
        service.evaluate(nil)
        #expect(pro.value(for: "who", default: "nobody") == "nobody")
    }

    @Test func evaluationMayCallTheService() async throws {
        let service = TestFlagService(values: ["a": 1])
        service.evaluate { [weak service] context in
            if service?.values["seen"] == nil { service?.setValue(true, for: "seen") }
            return .values(["who": .string(context.targetingKey ?? "")])
        }
        let flags = await service.makeStartedClient()
        #expect(flags.value(for: "who", default: "") == "test-user")
        #expect(flags.isEnabled("seen"))
    }

    @Test func severalClientsGetEachChange() async throws {
        let service = TestFlagService(values: ["a": 0])
        var clients: [FlagClient] = []
        for number in 0..<20 {
            clients.append(await service.makeStartedClient(context: FlagContext(key: "user-\(number)")))
        }
        service.setValue(1, for: "a")
        #expect(clients.map { $0.value(for: "a", default: 0) } == Array(repeating: 1, count: 20))
        #expect(service.clientCount == 20)
        await clients[0].close()
        clients.removeLast()
        #expect(service.clientCount == 18)
        service.setValue(2, for: "a")
        #expect(clients[0].value(for: "a", default: 0) == 1)
        #expect(clients[1].value(for: "a", default: 0) == 2)
    }

    @Test func requestsAreRecordedWithAllTheySay() async throws {
        let service = TestFlagService(values: ["a": 1])
        let flags = service.makeClient { configuration in
            configuration.key = "my-key"
            configuration.headers = ["X-Team": "shop"]
        }
        let ada = FlagContext(
            key: "ada", bucketingKey: "b", isAnonymous: true,
            attributes: ["seats": 3, "device": ["mobile": true]])
        await flags.start(context: ada)
        await flags.refresh()
        await flags.setContext(FlagContext(key: "bob"))
        #expect(service.contexts == [ada, FlagContext(key: "bob")])
        let kinds: [Set<TestRequest.Kind>] = [[.start], [.stream], [.refresh], [.contextChange], [.stream]]
        #expect(service.requests.map(\.kinds) == kinds)
        let first = try #require(service.requests.first)
        #expect(first.context == ada)
        #expect(first.context?.bucketingKey == "b")
        #expect(first.context?.isAnonymous == true)
        #expect(first.context?.attributes == ada.attributes)
        #expect(first.method == "POST")
        #expect(first.path == "/ofrep/v1/evaluate/flags")
        #expect(first.headers["authorization"] == "Bearer my-key")
        #expect(first.headers["x-team"] == "shop")
        #expect(first.json?["context"]?["targetingKey"] == "ada")
        #expect(service.requests[2].headers["if-none-match"] != nil)
        #expect(service.requests.map(\.number) == [1, 2, 3, 4, 5])
        #expect(service.requests.allSatisfy { $0.client == 1 })
        service.clearRequests()
        #expect(service.requests.isEmpty)
    }

    @Test func readsCanBeFollowed() async throws {
        let service = TestFlagService(values: ["a": 1])
        let flags = await service.makeStartedClient()
        let reads = FlagProbe(flags.evaluations)
        _ = flags.value(for: "a", default: 0)
        _ = flags.isEnabled("unknown")
        let first = try await reads.next()
        #expect(first?.key == "a")
        #expect(first?.value == 1)
        #expect(first?.isDefault == false)
        let second = try await reads.next()
        #expect(second?.key == "unknown")
        #expect(second?.errorCode == .flagNotFound)
    }

    @Test func callbacksMaySetValues() async throws {
        let service = TestFlagService(values: ["a": 1, "b": 0])
        let flags = await service.makeStartedClient()
        let token = flags.onChange(of: "a", default: 0, on: .immediate) { value in
            service.setValue(.int(Int64(value * 10)), for: "b")
            #expect(flags.value(for: "b", default: 0) == value * 10)
        }
        service.setValue(2, for: "a")
        #expect(flags.value(for: "b", default: 0) == 20)
        withExtendedLifetime(token) {}
    }

    @Test func valuesReachClientsThatPollOrGetNotices() async throws {
        let clock = TestClock()
        let service = TestFlagService(values: ["a": 1], delivery: .notices)
        let noticed = await service.makeStartedClient(clock: clock)
        let polling = await service.makeStartedClient(clock: clock) { $0.sync = .polling(every: 60) }
        service.setValue(2, for: "a")
        #expect(noticed.value(for: "a", default: 0) == 1)
        clock.advance(by: 0.5)
        #expect(noticed.value(for: "a", default: 0) == 2)
        #expect(polling.value(for: "a", default: 0) == 1)
        clock.advance(by: 60)
        #expect(polling.value(for: "a", default: 0) == 2)
        service.delivery = .polling
        await noticed.refresh()
        #expect(service.openStreamCount == 0)
        service.setValue(3, for: "a")
        clock.advance(by: 33)
        #expect(noticed.value(for: "a", default: 0) == 3)
    }
}
