import FlagModel

extension TelemetryBatch {
    /// A batch with each part that there is.
    static let full = TelemetryBatch(
        id: "123e4567-e89b-42d3-a456-426614174000", sdk: .init(name: "flagstaff-swift", version: "0.1.0"),
        app: .init(name: "Shop", version: "4.2"), start: 1_800_000_000, end: 1_800_000_060.25,
        groups: [
            Group(
                context: .shape(["targetingKey": "string", "device": ["mobile": "boolean"]]),
                evaluations: [
                    Evaluation(
                        flag: "new-checkout", variant: "on", reason: "TARGETING_MATCH", valueID: "a1",
                        version: "7",
                        count: 12),
                    Evaluation(
                        flag: "theme", reason: "ERROR", errorCode: "TYPE_MISMATCH", isDefault: true,
                        requestedType: "boolean", count: 1),
                ]),
            Group(
                context: .example(["targetingKey": "user-123", "plan": "pro"]),
                events: [
                    Event(
                        name: "checkout", value: 49.99, properties: ["items": 3, "gift": false],
                        time: 1_800_000_012.5, targetingKey: "user-123")
                ]),
            Group(context: .none, events: [Event(name: "opened", time: 1_800_000_001)]),
        ],
        droppedReads: 3, droppedEvents: 2)
}
