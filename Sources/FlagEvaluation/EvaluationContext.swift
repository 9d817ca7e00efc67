package import FlagModel

/// A context prepared for rules: made once per request, then evaluated against any number of flags, on any
/// thread.
package struct EvaluationContext: Sendable {
    /// The attributes as an object, in the arena's memory.
    let attributes: Term
    let arena: TermArena
    /// The time that rules see as `$flagd.timestamp`, in seconds since 1970.
    package let now: Int64

    /// Prepares a context.
    ///
    /// - Parameters:
    ///   - attributes: What rules can look at, `targetingKey` included, as a client sent it. A member `$flagd` is
    ///     ignored. Values nested deeper than 128 levels count as `null`.
    ///   - now: The time that rules see as `$flagd.timestamp`, in seconds since 1970.
    package init(attributes: [String: FlagValue], now: Int64) {
        var memory = TermMemory()
        self.attributes = memory.term(of: attributes, without: "$flagd")
        self.arena = TermArena(memory)
        self.now = now
    }
}
