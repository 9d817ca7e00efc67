/// What counts a client's reads.
package protocol ReadCounting: Sendable {
    /// Returns all counts since the last drain, and starts again from zero.
    ///
    /// Every read is in exactly one drain, whichever threads read meanwhile.
    func drain() -> [CountedRead]

    /// Asks to be told when the first read after a drain happens.
    ///
    /// A counter that can tell spares the client a timer that looks.
    ///
    /// - Parameter body: Called on the reading thread, once after each drain; it returns at once.
    /// - Returns: Whether it will be called. Default: `false`.
    func notifyOfFirstRead(_ body: @escaping @Sendable () -> Void) -> Bool

    /// Counts no more, and forgets what was counted: nothing will be drained again.
    ///
    /// Reading goes on. Default: a last drain.
    func stopCounting()
}

extension ReadCounting {
    /// Does not tell.
    package func notifyOfFirstRead(_ body: @escaping @Sendable () -> Void) -> Bool { false }

    /// Forgets what was counted.
    package func stopCounting() { _ = drain() }
}

/// Counts nothing.
package struct UncountedReads: ReadCounting {
    /// Makes the counter.
    package init() {}

    /// Returns nothing.
    package func drain() -> [CountedRead] { [] }
}
