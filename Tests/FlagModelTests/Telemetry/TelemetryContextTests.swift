import FlagModel
import Testing

@Suite struct TelemetryContextTests {
    @Test func shapeNamesTypesAndNoValues() {
        let members: [String: FlagValue] = [
            "targetingKey": "user-123", "age": 31, "score": 0.5, "beta": true, "tags": ["a", 1], "none": nil,
            "empty": [:], "device": ["mobile": true, "screen": ["width": 390]],
        ]
        #expect(
            TelemetryContext.shape(of: members) == [
                "targetingKey": "string", "age": "integer", "score": "number", "beta": "boolean",
                "tags": "array", "none": "null", "empty": "object",
                "device": ["mobile": "boolean", "screen": ["width": "integer"]],
            ])
    }

    @Test func shapeIsBounded() {
        let many = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("name \($0)", FlagValue.bool(true)) })
        let shape = TelemetryContext.shape(of: many)
        #expect(shape.count == 100)
        #expect(shape == TelemetryContext.shape(of: many))
        let nested = Dictionary(
            uniqueKeysWithValues: (0..<50).map { ("object \($0)", FlagValue.object(many)) })
        #expect(JSONWriter.bytes(of: .object(TelemetryContext.shape(of: nested))).count < 5_000)
        let long = String(repeating: "x", count: 129)
        #expect(TelemetryContext.shape(of: [long: 1, "a": 1]) == ["a": "integer"])
        var deep: FlagValue = ["leaf": 1]
        for _ in 0..<100 { deep = ["deeper": deep] }
        #expect(FlagValue.object(TelemetryContext.shape(of: ["top": deep])).jsonText.contains("\"object\""))
    }

    @Test func leavesOutWhatIsPrivate() {
        let members: [String: FlagValue] = [
            "targetingKey": "user-123", "email": "a@example.com", "plan": "pro",
            "user": ["email": "a@example.com", "name": ["first": "Ada"], "id": 7],
        ]
        #expect(TelemetryContext.members(members, without: []) == members)
        #expect(
            TelemetryContext.members(members, without: ["targetingKey", "user.email", "user.name.first"]) == [
                "email": "a@example.com", "plan": "pro", "user": ["name": [:], "id": 7],
            ])
        #expect(TelemetryContext.members(members, without: ["user", "email"])["user"] == nil)
    }
}
