import FlagModel

/// What an identity store keeps: a list in JSON, whose last element has the members `anonymousID` and `context`.
struct StoredIdentity: Hashable, Sendable {
    /// The id of the installation.
    var anonymousID: String?
    /// The context to start with.
    var context: FlagContext?

    private static let seal = Seal("flagstaff-identity", version: 1)

    init(anonymousID: String? = nil, context: FlagContext? = nil) {
        self.anonymousID = anonymousID
        self.context = context
    }

    /// Reads a file; `nil` when it is damaged or of another form.
    init?(file: [UInt8]) {
        let limits = JSONParser.Limits(depth: JSONParser.Limits().depth + 4)
        guard Self.seal.isIntact(file),
            case .array(let elements)? = try? JSONParser.parse(file, limits: limits),
            case .object(let members)? = elements.last
        else { return nil }
        anonymousID = members["anonymousID"]?.stringValue
        guard let context = members["context"] else { return }
        self.context = FlagContext(
            key: context["key"]?.stringValue, bucketingKey: context["bucketingKey"]?.stringValue,
            isAnonymous: context["isAnonymous"]?.boolValue ?? false,
            attributes: context["attributes"]?.objectValue ?? [:])
    }

    /// The bytes of the file.
    var file: [UInt8] {
        var members: [String: FlagValue] = [:]
        members["anonymousID"] = anonymousID.map(FlagValue.string)
        if let context {
            var parts: [String: FlagValue] = [
                "isAnonymous": .bool(context.isAnonymous),
                // As rules see them: numbers that are not finite are not sent, and JSON has none.
                "attributes": .object(FlagContext(attributes: context.attributes).members),
            ]
            parts["key"] = context.targetingKey.map(FlagValue.string)
            parts["bucketingKey"] = context.bucketingKey.map(FlagValue.string)
            members["context"] = .object(parts)
        }
        var writer = JSONWriter()
        writer.write(raw: ",")
        writer.write(.object(members))
        writer.write(raw: "]")
        return Self.seal.applied(to: writer.bytes)
    }
}
