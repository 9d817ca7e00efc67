import FlagModel

/// Writes resolutions for people and for programs.
enum ResolutionText {
    /// Value, variant, reason and metadata, a line each.
    static func table(_ resolution: FlagResolution) -> String {
        var rows = [("value", resolution.value?.jsonText ?? "none: the code's default applies")]
        if let variant = resolution.variant { rows.append(("variant", variant)) }
        rows.append(("reason", resolution.reason.rawValue))
        if !resolution.metadata.isEmpty {
            rows.append(("metadata", FlagValue.object(resolution.metadata).jsonText))
        }
        return rows.map { name, value in
            name + String(repeating: " ", count: 10 - name.count) + value
        }.joined(separator: "\n")
    }

    /// Code and words of a fault, in one line.
    static func fault(_ resolution: FlagResolution) -> String {
        let code = resolution.errorCode?.rawValue ?? ""
        return resolution.errorDetails.map { "\(code): \($0)" } ?? code
    }

    /// Everything as a JSON object, without what is absent.
    static func json(_ resolution: FlagResolution) -> [UInt8] {
        var members: [(String, FlagValue)] = [("key", .string(resolution.key))]
        members += shortMembers(resolution)
        if let details = resolution.errorDetails { members.append(("errorDetails", .string(details))) }
        members.append(("metadata", .object(resolution.metadata)))
        return json(members)
    }

    /// Value, variant, reason and error code as a JSON object, without what is absent.
    static func shortJSON(_ resolution: FlagResolution) -> [UInt8] {
        json(shortMembers(resolution))
    }

    /// A line that could not be evaluated, as a JSON object.
    static func json(fault details: String) -> [UInt8] {
        json([
            ("reason", .string(FlagReason.error.rawValue)),
            ("errorCode", .string(FlagErrorCode.parseError.rawValue)), ("errorDetails", .string(details)),
        ])
    }

    private static func shortMembers(_ resolution: FlagResolution) -> [(String, FlagValue)] {
        var members: [(String, FlagValue)] = []
        if let value = resolution.value { members.append(("value", value)) }
        if let variant = resolution.variant { members.append(("variant", .string(variant))) }
        members.append(("reason", .string(resolution.reason.rawValue)))
        if let code = resolution.errorCode { members.append(("errorCode", .string(code.rawValue))) }
        return members
    }

    /// An object with its members in a given order.
    private static func json(_ members: [(String, FlagValue)]) -> [UInt8] {
        var writer = JSONWriter(options: .sortedKeys)
        writer.write(raw: "{")
        for (index, (name, value)) in members.enumerated() {
            if index > 0 { writer.write(raw: ",") }
            writer.write(name)
            writer.write(raw: ":")
            writer.write(value)
        }
        writer.write(raw: "}")
        return writer.bytes
    }
}
