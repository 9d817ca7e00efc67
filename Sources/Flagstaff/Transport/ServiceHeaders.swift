import Foundation

/// What the headers of an app may be, and how they are put together.
enum ServiceHeaders {
    /// The headers that a configuration asks for, its key among them.
    ///
    /// - Throws: ``FlagClientError`` saying what to set right.
    static func fixed(_ configuration: FlagClientConfiguration) throws(FlagClientError) -> [String: String] {
        var headers: [String: String] = [:]
        for (name, value) in configuration.headers {
            if let problem = problem(name: name, value: value) { throw .invalid(problem) }
            headers[name] = value
        }
        if let selector = try selector(configuration.flagSets) {
            guard !headers.keys.contains(where: { $0.lowercased() == selectorName.lowercased() }) else {
                throw .invalid("give either `flagSets` or a \(selectorName) header, not both")
            }
            headers[selectorName] = selector
        }
        if let environment = configuration.environment, !environment.isEmpty {
            guard !headers.keys.contains(where: { $0.lowercased() == environmentName.lowercased() }) else {
                throw .invalid("give either `environment` or a \(environmentName) header, not both")
            }
            headers[environmentName] = ServiceAddress.encoded(environment)
        }
        guard let key = configuration.key else { return headers }
        guard !key.isEmpty, key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .invalid(
                "the key is blank or holds spaces or line breaks: pass the key as issued, or nil for none")
        }
        guard !headers.keys.contains(where: { $0.lowercased() == "authorization" }) else {
            throw .invalid("give either `key` or an Authorization header, not both")
        }
        headers["Authorization"] = "Bearer \(key)"
        return headers
    }

    /// The header that asks for flag sets.
    static let selectorName = "Flagd-Selector"

    /// The header that names the environment.
    static let environmentName = "X-Flagstaff-Environment"

    /// The selector of some sets: sorted, each once; `nil` where there are none.
    private static func selector(_ flagSets: [String]) throws(FlagClientError) -> String? {
        var names: Set<String> = []
        for set in flagSets {
            let name = set.trimmingCharacters(in: .whitespacesAndNewlines)
            guard name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ",") }) else {
                throw .invalid(
                    "flag set \(name.debugDescription) cannot be asked for: give each set by itself")
            }
            if !name.isEmpty { names.insert(name) }
        }
        return names.isEmpty ? nil : "flagSetId=" + names.sorted().joined(separator: ",")
    }

    /// A header that is left out, and why.
    struct Fault: Hashable, Sendable {
        /// The header's name in lower case.
        var name: String
        var problem: String
    }

    /// Puts headers of the moment over those of a request; what cannot be sent is left out.
    ///
    /// - Parameters:
    ///   - provided: The headers of the moment.
    ///   - headers: The request's headers, changed in place. Names count in any case.
    ///   - keepsSelector: Whether the selector is not to be replaced.
    /// - Returns: What was left out, by name.
    static func merge(
        _ provided: [String: String], over headers: inout [String: String], keepsSelector: Bool = false
    ) -> [Fault] {
        var faults: [Fault] = []
        // In order, so that of names that differ in case alone always the same wins.
        for (name, value) in provided.sorted(by: { $0.key < $1.key }) {
            if let problem = problem(name: name, value: value) {
                faults.append(Fault(name: name.lowercased(), problem: problem))
                continue
            }
            if keepsSelector, name.lowercased() == selectorName.lowercased() {
                faults.append(Fault(name: name.lowercased(), problem: "`flagSets` sets '\(name)'"))
                continue
            }
            for former in headers.keys where former.lowercased() == name.lowercased() {
                headers[former] = nil
            }
            headers[name] = value
        }
        return faults
    }

    /// Why a header cannot be sent; `nil` when it can.
    ///
    /// Never holds the value, which can be a secret.
    private static func problem(name: String, value: String) -> String? {
        guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else {
            return "a header is named \(name.debugDescription): use letters, digits and hyphens"
        }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            return "the value of header '\(name)' holds a line break or control character"
        }
        guard !ownHeaders.contains(name.lowercased()) else {
            return "the header '\(name)' is set by the client itself: leave it out"
        }
        return nil
    }

    private static let ownHeaders: Set = [
        "accept", "connection", "content-length", "content-type", "host", "if-none-match", "last-event-id",
        "transfer-encoding",
    ]

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
