extension TelemetryBatch {
    /// Reads the wire form.
    ///
    /// Members that are not known are passed over, so that later clients can say more.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, of which nothing is taken for granted.
    ///   - limits: What is accepted.
    /// - Returns: The batch; its id is in lower case.
    /// - Throws: What is wrong and where.
    package static func decode(
        _ bytes: [UInt8], limits: TelemetryLimits = TelemetryLimits()
    ) throws(TelemetryRefusal) -> TelemetryBatch {
        guard bytes.count <= limits.bytes else {
            throw TelemetryRefusal(
                kind: .tooLarge, "a batch may have at most \(limits.bytes) bytes, not \(bytes.count)")
        }
        let document: FlagValue
        do throws(JSONError) {
            // The batch's own levels: itself, groups, a group, events, an event.
            document = try JSONParser.parse(bytes, limits: .init(depth: limits.depth + 5))
        } catch {
            throw TelemetryRefusal(kind: .malformed, "the body is not JSON: \(error)")
        }
        var decoder = TelemetryDecoder(limits: limits)
        return try decoder.batch(TelemetryDecoder.Place(value: document, path: ""))
    }
}

/// Reads the parts of a batch, counting what there is of each over all groups.
private struct TelemetryDecoder {
    let limits: TelemetryLimits
    private var evaluationCount = 0
    private var eventCount = 0

    init(limits: TelemetryLimits) {
        self.limits = limits
    }

    /// A value, and the way to it for messages: names of the format and indices, never what a client wrote.
    struct Place {
        let value: FlagValue
        let path: String

        func member(_ name: String) -> Place? {
            guard let member = value[name], !member.isNull else { return nil }
            return Place(value: member, path: self.path(to: name))
        }

        func path(to name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
    }

    mutating func batch(_ place: Place) throws(TelemetryRefusal) -> TelemetryBatch {
        guard case .object = place.value else {
            throw invalid("the body must be a JSON object with id, start, end and groups")
        }
        let id = try text(place, "id").lowercased()
        guard Self.isUUID(id) else {
            throw invalid("id must be a UUID such as 123e4567-e89b-42d3-a456-426614174000")
        }
        let start = try time(place, "start")
        let end = try time(place, "end")
        guard start <= end else { throw invalid("end must not be before start") }
        let parts = try elements(place, "groups")
        guard parts.count <= limits.groups else {
            throw invalid("groups may have at most \(limits.groups) elements, not \(parts.count)")
        }
        var groups: [TelemetryBatch.Group] = []
        groups.reserveCapacity(parts.count)
        for part in parts { groups.append(try group(part)) }
        return TelemetryBatch(
            id: id, sdk: try software(place, "sdk"), app: try software(place, "app"), start: start, end: end,
            groups: groups, droppedReads: try count(place, "droppedReads", from: 0) ?? 0,
            droppedEvents: try count(place, "droppedEvents", from: 0) ?? 0)
    }

    private mutating func group(_ place: Place) throws(TelemetryRefusal) -> TelemetryBatch.Group {
        guard case .object = place.value else { throw invalid("\(place.path) must be an object") }
        var group = TelemetryBatch.Group(context: try context(place))
        let evaluations = try elements(place, "evaluations", isRequired: false)
        evaluationCount += evaluations.count
        guard evaluationCount <= limits.evaluations else {
            throw invalid("a batch may have at most \(limits.evaluations) evaluations")
        }
        for part in evaluations { group.evaluations.append(try evaluation(part)) }
        let events = try elements(place, "events", isRequired: false)
        eventCount += events.count
        guard eventCount <= limits.events else {
            throw invalid("a batch may have at most \(limits.events) events")
        }
        for part in events { group.events.append(try event(part)) }
        return group
    }

    private func context(_ place: Place) throws(TelemetryRefusal) -> TelemetryContext {
        guard let context = place.member("context") else {
            throw invalid("\(place.path(to: "context")) is missing")
        }
        switch try text(context, "mode") {
        case "none": return .none
        case "shape": return .shape(try object(context, "shape") ?? [:])
        case "example": return .example(try object(context, "example") ?? [:])
        default: throw invalid("\(context.path(to: "mode")) must be none, shape or example")
        }
    }

    private func evaluation(_ place: Place) throws(TelemetryRefusal) -> TelemetryBatch.Evaluation {
        guard case .object = place.value else { throw invalid("\(place.path) must be an object") }
        guard let count = try count(place, "count", from: 1) else {
            throw invalid("\(place.path(to: "count")) is missing")
        }
        var isDefault = false
        if let member = place.member("default") {
            guard let flag = member.value.boolValue else {
                throw invalid("\(member.path) must be true or false")
            }
            isDefault = flag
        }
        return TelemetryBatch.Evaluation(
            flag: try text(place, "flag"), variant: try optionalText(place, "variant"),
            reason: try text(place, "reason"), errorCode: try optionalText(place, "errorCode"),
            valueID: try optionalText(place, "valueID"), isDefault: isDefault,
            requestedType: try optionalText(place, "requestedType"),
            version: try optionalText(place, "version"), count: count)
    }

    private func event(_ place: Place) throws(TelemetryRefusal) -> TelemetryBatch.Event {
        guard case .object = place.value else { throw invalid("\(place.path) must be an object") }
        var event = TelemetryBatch.Event(name: try text(place, "name"), time: try time(place, "time"))
        guard !event.name.isEmpty else { throw invalid("\(place.path(to: "name")) must not be empty") }
        if let member = place.member("value") { event.value = try number(member) }
        event.targetingKey = try optionalText(place, "targetingKey")
        event.properties = try object(place, "properties") ?? [:]
        guard event.properties.count <= limits.properties else {
            throw invalid("\(place.path(to: "properties")) may have at most \(limits.properties) members")
        }
        if JSONWriter.bytes(of: .object(event.properties)).count > limits.propertyBytes {
            throw invalid("\(place.path(to: "properties")) may have at most \(limits.propertyBytes) bytes")
        }
        return event
    }

    private func software(_ place: Place, _ name: String) throws(TelemetryRefusal) -> TelemetryBatch.Software
    {
        guard let member = place.member(name) else { return .init(name: "", version: "") }
        return .init(
            name: try optionalText(member, "name") ?? "", version: try optionalText(member, "version") ?? "")
    }

    // MARK: Small parts

    private func text(_ place: Place, _ name: String) throws(TelemetryRefusal) -> String {
        guard let text = try optionalText(place, name) else {
            throw invalid("\(place.path(to: name)) is missing")
        }
        return text
    }

    private func optionalText(_ place: Place, _ name: String) throws(TelemetryRefusal) -> String? {
        guard let member = place.member(name) else { return nil }
        guard let text = member.value.stringValue else { throw invalid("\(member.path) must be text") }
        guard text.utf8.count <= limits.textBytes else {
            throw invalid("\(member.path) may have at most \(limits.textBytes) bytes")
        }
        return text
    }

    private func object(_ place: Place, _ name: String) throws(TelemetryRefusal) -> [String: FlagValue]? {
        guard let member = place.member(name) else { return nil }
        guard let object = member.value.objectValue else {
            throw invalid("\(member.path) must be an object")
        }
        return object
    }

    private func elements(
        _ place: Place, _ name: String, isRequired: Bool = true
    ) throws(TelemetryRefusal) -> [Place] {
        guard let member = place.member(name) else {
            if isRequired { throw invalid("\(place.path(to: name)) is missing") }
            return []
        }
        guard let elements = member.value.arrayValue else {
            throw invalid("\(member.path) must be an array")
        }
        return elements.enumerated().map { Place(value: $1, path: "\(member.path)[\($0)]") }
    }

    private func number(_ place: Place) throws(TelemetryRefusal) -> Double {
        switch place.value {
        case .int(let value): return Double(value)
        case .double(let value): return value
        default: throw invalid("\(place.path) must be a number")
        }
    }

    /// A time from 1970 to the year 9999.
    private func time(_ place: Place, _ name: String) throws(TelemetryRefusal) -> Double {
        guard let member = place.member(name) else { throw invalid("\(place.path(to: name)) is missing") }
        let time = try number(member)
        guard time >= 0, time < 253_402_300_800 else {
            throw invalid("\(member.path) must be a time in seconds since 1970")
        }
        return time
    }

    private func count(
        _ place: Place, _ name: String, from least: Int64
    ) throws(TelemetryRefusal) -> UInt64? {
        guard let member = place.member(name) else { return nil }
        guard let count = member.value.intValue, count >= least, count <= TelemetryBatch.maximumCount else {
            throw invalid("\(member.path) must be a whole number from \(least) to 2^53 - 1")
        }
        return UInt64(count)
    }

    private func invalid(_ description: String) -> TelemetryRefusal {
        TelemetryRefusal(kind: .invalid, description)
    }

    /// Whether a text in lower case has the form of a UUID.
    private static func isUUID(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { index, byte in
            [8, 13, 18, 23].contains(index)
                ? byte == UInt8(ascii: "-")
                : (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
        }
    }
}
