import FlagModel
import Testing

@Suite struct FlagContextTests {
    @Test func sendsTheKeysBesideTheAttributes() {
        let context = FlagContext(
            key: "user-1", bucketingKey: "account-9", isAnonymous: true, attributes: ["plan": "pro"])
        #expect(
            context.members == [
                "targetingKey": "user-1", "bucketingKey": "account-9", "anonymous": true, "plan": "pro",
            ])
    }

    @Test func sendsOnlyWhatIsSet() {
        #expect(FlagContext().members == [:])
        #expect(FlagContext(key: "u").members == ["targetingKey": "u"])
    }

    @Test func propertiesOverrideAttributesOfTheirName() {
        let attributes: [String: FlagValue] = ["targetingKey": 7, "anonymous": false, "bucketingKey": "b"]
        #expect(FlagContext(attributes: attributes).members == attributes)
        #expect(
            FlagContext(key: "u", bucketingKey: "c", isAnonymous: true, attributes: attributes).members
                == ["targetingKey": "u", "anonymous": true, "bucketingKey": "c"])
    }

    @Test func neverSendsTheReservedName() {
        #expect(FlagContext(attributes: ["$flagd": ["timestamp": 1], "a": 1]).members == ["a": 1])
    }

    @Test func leavesOutNumbersThatJSONCannotExpress() {
        let context = FlagContext(attributes: [
            "a": .double(.nan), "b": [1, .double(.infinity), 2], "c": ["d": .double(-.infinity), "e": 1.5],
        ])
        #expect(context.members == ["b": [1, 2], "c": ["e": 1.5]])
    }

    @Test func fingerprintFollowsTheContentsAlone() {
        let one = FlagContext(key: "u", attributes: ["a": 1, "b": ["x": 1, "y": 2]])
        let same = FlagContext(key: "u", attributes: ["b": ["y": 2, "x": 1], "a": 1])
        #expect(one == same)
        #expect(one.fingerprint == same.fingerprint)

        let others = [
            FlagContext(key: "v", attributes: one.attributes),
            FlagContext(key: "u", attributes: ["a": true, "b": ["x": 1, "y": 2]]),
            FlagContext(key: "u", attributes: ["a": 1.0, "b": ["x": 1, "y": 2]]),
            FlagContext(key: "u", isAnonymous: true, attributes: one.attributes),
            FlagContext(key: "u", bucketingKey: "u", attributes: one.attributes),
            FlagContext(attributes: one.attributes),
        ]
        #expect(Set(others.map(\.fingerprint) + [one.fingerprint]).count == others.count + 1)
        #expect(Set(others + [one]).count == others.count + 1)
    }

    @Test func describesNothingPersonal() {
        let context = FlagContext(key: "someone@example.com", attributes: ["email": "someone@example.com"])
        #expect(context.description == "FlagContext(a targeting key, 1 attributes)")
        #expect(FlagContext().description == "FlagContext(no targeting key, 0 attributes)")
    }
}
