package import FlagEvaluation

/// Where flag definitions come from: delivers compiled rules, first the present ones, then each later version.
///
/// A source keeps nothing back and decides nothing: whoever receives goes on serving the last rules while a source
/// reports faults.
package protocol FlagSource: Sendable {
    /// What the source is called in selectors and logs: for a file, its path.
    var name: String { get }

    /// Begins to deliver: the present rules or a fault at once, then whatever changes.
    ///
    /// - Parameter deliver: Called from a thread of the source's own, one call at a time, in order.
    func start(_ deliver: @escaping @Sendable (FlagSourceUpdate) -> Void)

    /// Ends delivery. Returns when the last call of `deliver` has returned; calling it again does nothing. Must not
    /// be called from inside `deliver`.
    func stop()
}

/// What a source delivers.
package enum FlagSourceUpdate: Sendable {
    /// New rules, whole.
    case rules(Ruleset)
    /// Rules cannot be had at the moment. Said once per change of the matter, not again and again.
    case fault(FlagSourceFault)
}

/// Why a source cannot deliver rules.
package struct FlagSourceFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do, in words.
    package var message: String

    /// Makes a fault.
    package init(_ message: String) {
        self.message = message
    }

    /// The message.
    package var description: String { message }
}
