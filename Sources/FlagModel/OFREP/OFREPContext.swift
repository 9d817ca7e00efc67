/// The body of an OFREP evaluation request: `{"context": {…}}`.
package enum OFREPContext {
    /// Why a request body was refused.
    package struct Refusal: Error, Hashable, Sendable {
        /// What is wrong, for the answer's `errorDetails`.
        package var details: String
    }

    /// The body for a context, with sorted names, so that equal contexts make equal bytes.
    package static func body(for context: FlagContext) -> [UInt8] {
        JSONWriter.bytes(of: ["context": .object(context.members)], options: .sortedKeys)
    }

    /// The context of a request body.
    ///
    /// As flagd does, an empty body and a body without a context mean an empty context, and a context that is no
    /// object is passed over. A targeting key of any type, or none, is accepted.
    package static func parse(_ body: [UInt8]) throws(Refusal) -> [String: FlagValue] {
        if body.isEmpty { return [:] }
        let document: FlagValue
        do throws(JSONError) {
            document = try JSONParser.parse(body)
        } catch {
            throw Refusal(details: "the body is not JSON: \(error)")
        }
        guard case .object(let members) = document else {
            throw Refusal(
                details: "the body must be a JSON object such as {\"context\": {\"targetingKey\": \"…\"}}")
        }
        return members["context"]?.objectValue ?? [:]
    }
}
