/// A message of the stream `flagstaff.evaluations`: this context's evaluated flags, whole or what changed of them.
///
/// The stream is opened by a `POST` with the body of a bulk request. Its first message is ``put(etag:evaluation:)``,
/// or ``current(etag:)`` when the request's `If-None-Match` named what the client would get; each later change is
/// a ``patch(etag:changed:removed:metadata:number:)``.
package enum EvaluationsMessage: Hashable, Sendable {
    /// Everything: replaces what the client has.
    case put(etag: String?, evaluation: BulkEvaluation)
    /// What the client has, under this ETag, is up to date.
    case current(etag: String)
    /// What changed and what is gone since the message before.
    ///
    /// `metadata` is the flag set's, when it changed. `number` counts the patches of the stream from 1, so that a lost
    /// one is noticed; `nil` from services that do not count.
    case patch(
        etag: String?, changed: [FlagResolution], removed: [String], metadata: [String: FlagValue]?,
        number: Int? = nil)

    /// Reads an event; `nil` for a type that this version does not know and for data that cannot be read.
    package init?(_ event: ServerSentEvent) {
        guard ["put", "current", "patch"].contains(event.type),
            let document = try? JSONParser.parse(event.data)
        else { return nil }
        let etag = document["etag"]?.stringValue
        switch event.type {
        case "put":
            guard let evaluation = BulkEvaluation(document) else { return nil }
            self = .put(etag: etag, evaluation: evaluation)
        case "current":
            guard let etag else { return nil }
            self = .current(etag: etag)
        default:
            guard let entries = document["flags"]?.arrayValue else { return nil }
            let changed = entries.compactMap(FlagResolution.init(ofrep:))
            // With an entry left out, the new ETag would stand for values that the client does not have.
            guard changed.count == entries.count else { return nil }
            self = .patch(
                etag: etag, changed: changed,
                removed: (document["removed"]?.arrayValue ?? []).compactMap(\.stringValue),
                metadata: document["metadata"]?.objectValue,
                number: document["number"]?.intValue.flatMap(Int.init(exactly:)))
        }
    }

    /// The message as an event of the stream.
    package func event(id: String?) -> ServerSentEvent {
        var members: [String: FlagValue]
        let type: String
        switch self {
        case .put(let etag, let evaluation):
            type = "put"
            members = evaluation.json.objectValue ?? [:]
            members["etag"] = etag.map(FlagValue.string)
        case .current(let etag):
            type = "current"
            members = ["etag": .string(etag)]
        case .patch(let etag, let changed, let removed, let metadata, let number):
            type = "patch"
            members = [
                "flags": .array(changed.map(\.ofrep)), "removed": .array(removed.map(FlagValue.string)),
            ]
            members["etag"] = etag.map(FlagValue.string)
            members["metadata"] = metadata.map(FlagValue.object)
            members["number"] = number.map { .int(Int64($0)) }
        }
        return ServerSentEvent(type: type, data: FlagValue.object(members).jsonText, id: id)
    }
}
