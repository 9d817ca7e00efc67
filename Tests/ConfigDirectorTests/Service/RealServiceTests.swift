import ConfigDirector
import FlagModel
import FlagService
import ServiceStage
import Testing

/// The whole way: an app's client, the network, and the service.
@Suite(.timeLimit(.minutes(2))) struct RealServiceTests {
    private static func flags(_ number: Int64) -> [String: FlagValue] {
        [
            "n": .flag(.int(number)),
            "dark-mode": .flag(true),
            "ratio": .flag(2.5),
            "greeting": .flag("hello"),
            "theme": .flag(["primary": "#fff", "cornerRadius": 4]),
            "plan": .flag("pro", metadata: ["type": "enum"]),
            "home": .flag("https://example.com", metadata: ["type": "url"]),
            "number-text": .flag("12", metadata: ["type": "custom"]),
            "is-ada": .flag(onIf: ["==": [["var": "targetingKey"], "ada"]]),
            "is-pro": .flag(onIf: ["==": [["var": "plan"], "pro"]]),
            "is-anonymous": .flag(onIf: ["==": [["var": "anonymous"], true]]),
            "is-named": .flag(onIf: ["==": [["var": "name"], "Ada Lovelace"]]),
            "is-shop": .flag(
                onIf: [
                    "and": [
                        ["==": [["var": "appName"], "Shop"]],
                        ["sem_ver": [["var": "appVersion"], ">=", "1.0.2"]],
                    ]
                ]),
        ]
    }

    private struct Theme: Decodable, Equatable {
        var primary: String
        var cornerRadius: Double
    }

    @Test(arguments: [ConnectionMode.streaming, .polling])
    func readsWhatTheServiceEvaluates(mode: ConnectionMode) async throws {
        try await ServiceStage.with(Self.flags(1)) { stage in
            let client = try stage.client(
                mode: mode, metadata: ConfigDirectorMetaContext(appName: "Shop", appVersion: "1.2.0"))
            defer { client.close() }
            #expect(!client.value(for: "dark-mode", default: false))
            await client.initialize(
                context: ConfigDirectorContext(id: "ada", name: "Ada Lovelace", traits: ["plan": "pro"]))
            #expect(client.isReady)
            #expect(!client.isInitializing)
            #expect(client.context?.id == "ada")
            #expect(client.value(for: "dark-mode", default: false))
            #expect(client.value(for: "n", default: 0) == 1)
            #expect(client.value(for: "ratio", default: 0.0) == 2.5)
            #expect(client.value(for: "greeting", default: "") == "hello")
            #expect(
                client.value(for: "theme", as: Theme.self, default: Theme(primary: "", cornerRadius: 0))
                    == Theme(primary: "#fff", cornerRadius: 4))
            for key in ["is-ada", "is-pro", "is-named", "is-shop"] {
                #expect(client.value(for: key, default: false), "\(key)")
            }
            #expect(!client.value(for: "is-anonymous", default: true))
        }
    }

    @Test func metadataRefinesTheTypeOfText() async throws {
        try await ServiceStage.with(Self.flags(1)) { stage in
            let client = try stage.client()
            await client.initialize()
            let evaluations = client.evaluations
            _ = client.value(for: "plan", default: "")
            _ = client.value(for: "plan", default: false)
            _ = client.value(for: "home", default: "")
            _ = client.value(for: "home", default: 0)
            _ = client.value(for: "number-text", default: 0)
            _ = client.value(for: "nowhere", default: 0)
            client.close()
            #expect(
                await rest(of: evaluations).map { "\($0.key)=\($0.value) \($0.reason.rawValue)" } == [
                    "plan=pro found-match", "plan=false type-mismatch",
                    "home=https://example.com found-match",
                    "home=0 type-mismatch", "number-text=12 found-match", "nowhere=0 config-state-missing",
                ])
        }
    }

    @Test func contextsAreChangedAndValuesFollow() async throws {
        try await ServiceStage.with(Self.flags(1)) { stage in
            let client = try stage.client()
            let events = client.events
            await client.initialize(context: ConfigDirectorContext(id: "ada"))
            #expect(client.value(for: "is-ada", default: false))
            await client.updateContext(ConfigDirectorContext(id: "bob"))
            #expect(!client.value(for: "is-ada", default: true))
            await client.updateContext(ConfigDirectorContext(isAnonymous: true))
            #expect(client.value(for: "is-anonymous", default: false))
            #expect(client.context == ConfigDirectorContext(isAnonymous: true))
            client.pauseNetwork()
            #expect(!client.isReady)
            #expect(client.value(for: "n", default: 0) == 1)
            try stage.publish(Self.flags(2))
            await client.resumeNetwork()
            #expect(client.isReady)
            #expect(client.value(for: "n", default: 0) == 2)
            client.close()
            let all = "updated: " + Self.flags(1).keys.sorted().joined(separator: ",")
            #expect(
                await rest(of: events).map(\.story) == [
                    "context: ada", "ready: initialization", all,
                    "context: bob", "ready: context update", all,
                    "context: anonymous", "ready: context update", all,
                    "ready: network resume", all,
                ])
        }
    }

    @Test func changesArePushedWithTheirKeysAlone() async throws {
        try await ServiceStage.with(["n": .flag(1), "m": .flag(1)]) { stage in
            let client = try stage.client()
            await client.initialize()
            // The stream is open when the first change has come over it.
            try stage.publish(["n": .flag(2), "m": .flag(1)])
            await client.wait(for: 2, of: "n")
            let events = client.events
            try stage.publish(["n": .flag(3), "m": .flag(1)])
            await client.wait(for: 3, of: "n")
            try stage.publish(["n": .flag(3)])
            for await value in client.values(for: "m", default: 0) where value == 0 { break }
            try stage.publish(["n": .flag(4)])
            await client.wait(for: 4, of: "n")
            let stories = await first(3, of: events).map(\.story)
            #expect(stories == ["updated: n", "updated: n removed: m", "updated: n"])
            client.close()
        }
    }

    @Test func aPercentageRolloutStaysForTheLifeOfAnAnonymousClient() async throws {
        let rollout: FlagValue = [
            "state": "ENABLED", "variants": ["a": "a", "b": "b", "c": "c", "d": "d"], "defaultVariant": "a",
            "targeting": ["fractional": [["a", 25], ["b", 25], ["c", 25], ["d", 25]]],
        ]
        try await ServiceStage.with(["rollout": rollout]) { stage in
            var places: Set<String> = []
            for _ in 0..<40 where places.count < 2 {
                let client = try stage.client()
                defer { client.close() }
                await client.initialize(context: ConfigDirectorContext(isAnonymous: true))
                let place = client.value(for: "rollout", default: "")
                places.insert(place)
                await client.updateContext(ConfigDirectorContext(traits: ["x": 1], isAnonymous: true))
                #expect(client.value(for: "rollout", default: "") == place)
            }
            #expect(places.count == 2)
        }
    }

    @Test func whatWasReadIsReportedOnClose() async throws {
        try await ServiceStage.with(Self.flags(1)) { stage in
            let client = try stage.client()
            await client.initialize()
            for _ in 0..<1000 { _ = client.value(for: "n", default: 0) }
            _ = client.value(for: "greeting", default: 0)
            _ = client.value(for: "nowhere", default: 0)
            client.close()
            while stage.reports?.accepted != 1 { await Task.yield() }
            #expect(stage.reports?.reads == 1002)
            #expect(stage.reports?.defaultReads == 2)
        }
    }

    @Test func aClientThatIsLetGoOfClosesItself() async throws {
        try await ServiceStage.with(Self.flags(1)) { stage in
            weak var gone: ConfigDirectorClient?
            let events: AsyncStream<ClientEvent>
            do {
                let client = try stage.client()
                gone = client
                events = client.events
                await client.initialize()
                _ = client.value(for: "n", default: 0)
            }
            #expect(await rest(of: events).count == 3)
            #expect(gone == nil)
            while stage.reports?.accepted != 1 { await Task.yield() }
            #expect(stage.reports?.reads == 1)
        }
    }
}
