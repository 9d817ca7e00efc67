extension TelemetryBatch {
    /// The wire form: JSON without spaces and with sorted names, so that equal batches make equal bytes.
    package var encoded: [UInt8] { JSONWriter.bytes(of: json, options: .sortedKeys) }

    /// The wire form as a value.
    package var json: FlagValue {
        var members: [String: FlagValue] = [
            "id": .string(id), "sdk": sdk.json, "app": app.json, "start": .time(start), "end": .time(end),
            "groups": .array(groups.map(\.json)),
        ]
        if droppedReads > 0 { members["droppedReads"] = .count(droppedReads) }
        if droppedEvents > 0 { members["droppedEvents"] = .count(droppedEvents) }
        return .object(members)
    }
}

extension TelemetryBatch.Software {
    fileprivate var json: FlagValue { ["name": .string(name), "version": .string(version)] }
}

extension TelemetryBatch.Group {
    fileprivate var json: FlagValue {
        var members: [String: FlagValue] = ["context": context.json]
        if !evaluations.isEmpty { members["evaluations"] = .array(evaluations.map(\.json)) }
        if !events.isEmpty { members["events"] = .array(events.map(\.json)) }
        return .object(members)
    }
}

extension TelemetryContext {
    /// The wire form as a value.
    package var json: FlagValue {
        switch self {
        case .none: ["mode": "none"]
        case .shape(let types): ["mode": "shape", "shape": .object(types)]
        case .example(let members): ["mode": "example", "example": .object(members)]
        }
    }
}

extension TelemetryBatch.Evaluation {
    /// The wire form as a value.
    package var json: FlagValue {
        var members: [String: FlagValue] = [
            "flag": .string(flag), "reason": .string(reason), "count": .count(count),
        ]
        members["variant"] = variant.map(FlagValue.string)
        members["errorCode"] = errorCode.map(FlagValue.string)
        members["valueID"] = valueID.map(FlagValue.string)
        if isDefault { members["default"] = true }
        members["requestedType"] = requestedType.map(FlagValue.string)
        members["version"] = version.map(FlagValue.string)
        return .object(members)
    }
}

extension TelemetryBatch.Event {
    /// The wire form as a value.
    package var json: FlagValue {
        var members: [String: FlagValue] = ["name": .string(name), "time": .time(time)]
        members["value"] = value.map(FlagValue.double)
        if !properties.isEmpty { members["properties"] = .object(properties) }
        members["targetingKey"] = targetingKey.map(FlagValue.string)
        return .object(members)
    }
}

extension FlagValue {
    /// A time in whole milliseconds, as a number of seconds; a clock that is far off is brought to what is accepted.
    fileprivate static func time(_ seconds: Double) -> FlagValue {
        let possible = seconds > 0 ? min(seconds, 253_402_300_799) : 0
        return .double((possible * 1000).rounded() / 1000)
    }

    fileprivate static func count(_ count: UInt64) -> FlagValue {
        .int(Int64(clamping: min(count, TelemetryBatch.maximumCount)))
    }
}
