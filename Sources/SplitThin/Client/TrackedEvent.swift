import Flagstaff

/// An event that can be reported.
struct TrackedEvent: Equatable {
    var name: String
    var value: Double?
    var properties: [String: FlagValue]

    /// Why an event cannot be reported.
    struct Refusal: Error {
        let why: String
    }

    /// Checks an event.
    ///
    /// - Parameters:
    ///   - name: Its type.
    ///   - value: The number that belongs to it.
    ///   - properties: What else is told of it; what cannot be told becomes `null`.
    ///   - target: Whom it is about; the traffic type is told with it.
    /// - Throws: ``Refusal``.
    init(_ name: String, _ value: Double?, _ properties: [String: Any], _ target: Target) throws(Refusal) {
        guard Self.isName(name) else {
            throw Refusal(
                why:
                    "its type must be 1 to 80 letters, digits, '-', '_', '.' and ':', a letter or digit first"
            )
        }
        guard value?.isFinite ?? true else { throw Refusal(why: "its value is not finite") }
        let keys = [target.key.matchingKey, target.key.bucketingKey].compactMap { $0 }
        guard keys.allSatisfy({ !$0.trimmed.isEmpty && $0.count <= 250 }) else {
            throw Refusal(why: "the target's keys must have 1 to 250 characters")
        }
        guard !target.trafficType.trimmed.isEmpty else {
            throw Refusal(why: "the target has no traffic type")
        }
        self.name = name
        self.value = value
        self.properties = properties.mapValues { Attributes.scalar($0) ?? .null }
        self.properties["trafficType"] = .string(target.trafficType)
    }

    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= 80 else { return false }
        func isLetterOrDigit(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        return isLetterOrDigit(first)
            && name.utf8.allSatisfy { isLetterOrDigit($0) || "-_.:".utf8.contains($0) }
    }
}
