/// What a report tells of a context: nothing, which attributes of which types there are, or the attributes themselves.
package enum TelemetryContext: Hashable, Sendable {
    /// Nothing.
    case none
    /// The types of the attributes by name, without their values: see ``shape(of:)``.
    case shape([String: FlagValue])
    /// The attributes, as evaluation requests carry them.
    case example([String: FlagValue])

    /// How many attributes a shape tells of at most; those behind in the order of their names are left out.
    package static let maximumAttributes = 100
    /// How long the name of an attribute may be in a shape, in UTF-8 bytes; longer ones are left out.
    package static let maximumNameBytes = 128
    /// How deep a shape looks into objects; what is deeper is `"object"`.
    package static let maximumDepth = 6

    /// The types of attributes: for each name the type in the words of JSON Schema (`"string"`, `"integer"`,
    /// `"number"`, `"boolean"`, `"array"`, `"null"`), and for an object the types of its own attributes.
    package static func shape(of members: [String: FlagValue]) -> [String: FlagValue] {
        var remaining = maximumAttributes
        return shape(of: members, depth: 1, remaining: &remaining)
    }

    private static func shape(
        of members: [String: FlagValue], depth: Int, remaining: inout Int
    ) -> [String: FlagValue] {
        var shape: [String: FlagValue] = [:]
        for (name, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            guard remaining > 0 else { break }
            guard name.utf8.count <= maximumNameBytes else { continue }
            remaining -= 1
            if case .object(let inner) = value, !inner.isEmpty, depth < maximumDepth {
                shape[name] = .object(Self.shape(of: inner, depth: depth + 1, remaining: &remaining))
            } else {
                shape[name] = .string(value.schemaType)
            }
        }
        return shape
    }

    /// Attributes without those that must not be told.
    ///
    /// - Parameters:
    ///   - members: The attributes, objects of attributes among them.
    ///   - privateNames: The names to leave out. One inside an object is written with the names on the way to it:
    ///     `user.email`.
    /// - Returns: What is left.
    package static func members(
        _ members: [String: FlagValue], without privateNames: Set<String>
    ) -> [String: FlagValue] {
        privateNames.isEmpty ? members : filtered(members, privateNames, prefix: "")
    }

    private static func filtered(
        _ members: [String: FlagValue], _ privateNames: Set<String>, prefix: String
    ) -> [String: FlagValue] {
        var kept: [String: FlagValue] = [:]
        for (name, value) in members {
            let path = prefix + name
            if privateNames.contains(path) { continue }
            if case .object(let inner) = value {
                kept[name] = .object(filtered(inner, privateNames, prefix: path + "."))
            } else {
                kept[name] = value
            }
        }
        return kept
    }
}

extension FlagValue {
    /// The type of the value in the words of JSON Schema: whole numbers are told apart.
    package var schemaType: String {
        if case .int = self { "integer" } else { kind }
    }
}
