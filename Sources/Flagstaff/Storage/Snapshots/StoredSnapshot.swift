private import Foundation
import FlagModel

/// A snapshot as it is stored: all but its context, of which there is a digest.
///
/// The form is a list in JSON, whose last element is an object: `contextDigest`, `updated`, `etag`, `metadata` and
/// `flags`, where each flag is a list of key, reason, variant, error code, error details, metadata and, where there is
/// one, value. Numbers keep their kind and all their digits.
enum StoredSnapshot {
    /// What every stored snapshot begins with.
    static let seal = Seal("flagstaff-snapshot", version: 1)

    /// The digest of a context that names its values in a storage, as 64 hexadecimal digits.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - flagSets: The flag sets that are asked for: other sets, other values.
    /// - Returns: The digest.
    static func digest(of context: FlagContext, flagSets: [String]) -> String {
        let subject = FlagValue.array([
            .object(context.members), .array(flagSets.sorted().map(FlagValue.string)),
        ])
        return SHA256.hexadecimalDigest(of: JSONWriter.bytes(of: subject, options: .sortedKeys))
    }

    // MARK: Writing

    /// The bytes of a snapshot; of its flags only what came from the service.
    static func bytes(of snapshot: FlagSnapshot, contextDigest: String) -> [UInt8] {
        let flags = snapshot.resolutions.filter { key, resolution in
            let origin = snapshot.origin(of: key)
            return origin != .override && origin != .bootstrap && resolution.isFinite
        }
        var writer = JSONWriter()
        writer.write(raw: ",{\"contextDigest\":")
        writer.write(contextDigest)
        writer.write(raw: ",\"updated\":")
        writer.write(snapshot.updated?.timeIntervalSince1970 ?? 0)
        // The tag stands for all of the flags: without one of them it would confirm what is not there.
        if let etag = snapshot.etag, flags.count == snapshot.resolutions.count {
            writer.write(raw: ",\"etag\":")
            writer.write(etag)
        }
        writer.write(raw: ",\"metadata\":")
        writer.write(snapshot.metadata)
        writer.write(raw: ",\"flags\":[")
        var isFirst = true
        for resolution in flags.values {
            if !isFirst { writer.write(raw: ",") }
            isFirst = false
            write(resolution, &writer)
        }
        writer.write(raw: "]}]")
        return seal.applied(to: writer.bytes)
    }

    private static func write(_ resolution: FlagResolution, _ writer: inout JSONWriter) {
        writer.write(raw: "[")
        writer.write(resolution.key)
        writer.write(raw: ",")
        writer.write(resolution.reason.rawValue)
        for text in [resolution.variant, resolution.errorCode?.rawValue, resolution.errorDetails] {
            writer.write(raw: ",")
            if let text { writer.write(text) } else { writer.write(raw: "null") }
        }
        writer.write(raw: ",")
        writer.write(resolution.metadata)
        if let value = resolution.value {
            writer.write(raw: ",")
            writer.write(value)
        }
        writer.write(raw: "]")
    }

    // MARK: Reading

    /// What an answer of the service may nest, and the levels that this form adds.
    private static let limits = JSONParser.Limits(depth: JSONParser.Limits().depth + 4)

    /// The snapshot of a context from its bytes; `nil` when they are damaged, of another form or another's.
    static func snapshot(
        from bytes: [UInt8], context: FlagContext, contextDigest: String
    ) -> FlagSnapshot? {
        guard seal.isIntact(bytes), let elements = (try? JSONParser.parse(bytes, limits: limits))?.arrayValue,
            case .object(let members)? = elements.last,
            members["contextDigest"]?.stringValue == contextDigest,
            case .double(let updated)? = members["updated"],
            case .object(let metadata)? = members["metadata"],
            case .array(let flags)? = members["flags"]
        else { return nil }
        var resolutions = [String: FlagResolution](minimumCapacity: flags.count)
        for flag in flags {
            guard let resolution = resolution(from: flag) else { return nil }
            resolutions[resolution.key] = resolution
        }
        return FlagSnapshot.cached(
            resolutions, metadata: metadata, etag: members["etag"]?.stringValue, context: context,
            time: Date(timeIntervalSince1970: updated))
    }

    private static func resolution(from flag: FlagValue) -> FlagResolution? {
        guard case .array(let parts) = flag, parts.count == 6 || parts.count == 7,
            case .string(let key) = parts[0], case .string(let reason) = parts[1],
            case .object(let metadata) = parts[5]
        else { return nil }
        return FlagResolution(
            key: key, value: parts.count == 7 ? parts[6] : .none, variant: text(parts[2]),
            reason: FlagReason(rawValue: reason),
            errorCode: text(parts[3]).map(FlagErrorCode.init(rawValue:)),
            errorDetails: text(parts[4]), metadata: metadata)
    }

    private static func text(_ value: FlagValue) -> String? {
        if case .string(let text) = value { text } else { nil }
    }
}

extension FlagResolution {
    /// Whether JSON can express all numbers in it.
    fileprivate var isFinite: Bool {
        (value?.isFinite ?? true) && metadata.values.allSatisfy(\.isFinite)
    }
}

extension FlagValue {
    fileprivate var isFinite: Bool {
        switch self {
        case .double(let number): number.isFinite
        case .array(let elements): elements.allSatisfy(\.isFinite)
        case .object(let members): members.values.allSatisfy(\.isFinite)
        default: true
        }
    }
}
