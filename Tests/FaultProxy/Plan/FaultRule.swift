/// Faults, and what they hit.
package struct FaultRule: Hashable, Sendable {
    /// The end of the request's path, without a query; `nil` hits every path.
    package var path: String?
    /// Text that the request's body must contain; `nil` hits every body.
    package var bodyText: String?
    /// How many connections or exchanges to let pass before the first hit.
    package var skipping: Int
    /// How many it hits at most; `nil` for all.
    package var times: Int?
    /// What happens, in one answer all of it.
    ///
    /// ``Fault/refuse`` and ``Fault/ignore`` stand alone and hit connections, whatever their requests.
    package var faults: [Fault]

    /// Makes a rule; without conditions it hits everything.
    package init(
        _ faults: Fault..., path: String? = nil, bodyText: String? = nil, skipping: Int = 0, times: Int? = nil
    ) {
        self.path = path
        self.bodyText = bodyText
        self.skipping = skipping
        self.times = times
        self.faults = faults
    }

    /// Whether it is about connections as a whole.
    var isOfConnection: Bool { faults.first?.isOfConnection ?? false }

    func matches(_ request: ProxiedRequest) -> Bool {
        if isOfConnection { return false }
        if let path, !request.path.hasSuffix(path) { return false }
        guard let bodyText else { return true }
        return String(decoding: request.body, as: UTF8.self).contains(bodyText)
    }
}

/// The script of a proxy: the first rule that applies decides, and is used up by what it hits.
package struct FaultScript: Sendable {
    private var rules: [FaultRule]

    /// Makes a script.
    package init(_ rules: [FaultRule] = []) {
        self.rules = rules
    }

    /// What hits a connection that was accepted just now.
    package mutating func faultOfConnection() -> Fault? {
        take(where: \.isOfConnection).first
    }

    /// What hits an exchange that begins with that request.
    package mutating func faults(for request: ProxiedRequest) -> [Fault] {
        take { $0.matches(request) }
    }

    private mutating func take(where applies: (FaultRule) -> Bool) -> [Fault] {
        for index in rules.indices where applies(rules[index]) {
            if rules[index].skipping > 0 {
                rules[index].skipping -= 1
                continue
            }
            guard let times = rules[index].times else { return rules[index].faults }
            if times <= 0 { continue }
            rules[index].times = times - 1
            return rules[index].faults
        }
        return []
    }
}
