import FlagModel

extension TelemetryBatch.Event {
    /// An event, if it is one that services accept: a name of 1 to 256 bytes, a finite value, at most 300 properties
    /// of 32 KiB together, which nest at most 8 levels deep.
    init?(checking name: String, _ value: Double?, _ properties: [String: FlagValue], time: Double) {
        guard (1...256).contains(name.utf8.count), value?.isFinite ?? true, properties.count <= 300,
            FlagValue.object(properties).depth <= 8,
            JSONWriter.bytes(of: .object(properties)).count <= 32_768
        else { return nil }
        self.init(name: name, value: value, properties: properties, time: time)
    }
}

extension TelemetrySettings {
    /// The targeting key that events carry, where they may carry one.
    func targetingKey(of context: FlagContext) -> String? {
        guard identifiesEvents || contexts == .examples, !privateAttributes.contains("targetingKey"),
            let key = context.targetingKey, key.utf8.count <= TelemetryLimits().textBytes
        else { return nil }
        return key
    }
}
