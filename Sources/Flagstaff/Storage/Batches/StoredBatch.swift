import FlagModel

/// A batch as it is stored: a line that says which it is, and then its bytes as they are.
///
/// The line is a list in JSON: `["flagstaff-batch",1,"<digest>","<id>"]`.
struct StoredBatch: Hashable, Sendable {
    /// The batch's id.
    let id: String
    /// What is sent.
    let bytes: [UInt8]

    private static let seal = Seal("flagstaff-batch", version: 1)
    private static let prefix = "batch-"

    init(id: String, bytes: [UInt8]) {
        self.id = id
        self.bytes = bytes
    }

    /// Reads a file; `nil` when it is damaged or of another form.
    init?(file: [UInt8]) {
        guard Self.seal.isIntact(file), let lineEnd = file.firstIndex(of: UInt8(ascii: "\n")),
            case .array(let elements)? = try? JSONParser.parse(Array(file[..<lineEnd])),
            elements.count == 4, case .string(let id) = elements[3]
        else { return nil }
        self.init(id: id, bytes: Array(file[(lineEnd + 1)...]))
    }

    /// The bytes of the file.
    var file: [UInt8] {
        var writer = JSONWriter()
        writer.write(raw: ",")
        writer.write(id)
        writer.write(raw: "]\n")
        writer.write(raw: bytes)
        return Self.seal.applied(to: writer.bytes)
    }

    /// How much larger than its batch a file is, if the id is as long as a UUID.
    static let overhead = StoredBatch(id: String(repeating: "0", count: 36), bytes: []).file.count

    // MARK: Names

    /// The name of a batch's file: a number that grows with each, then a digest of the id.
    static func name(sequence: UInt64, id: String) -> String {
        let digits = String(sequence, radix: 16)
        return prefix + String(repeating: "0", count: 16 - digits.count) + digits + "-"
            + Fingerprint(of: id).description
    }

    /// The number in a file's name; `nil` when it is none of a batch.
    static func sequence(ofName name: String) -> UInt64? {
        guard name.hasPrefix(prefix) else { return nil }
        let parts = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 16, parts[1].utf8.count == 32 else { return nil }
        return UInt64(parts[0], radix: 16)
    }

    /// What the names of all batches begin with.
    static var namePrefix: String { prefix }
}
