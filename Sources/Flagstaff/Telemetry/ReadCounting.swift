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
}

extension ReadCounting {
    /// Does not tell.
    package func notifyOfFirstRead(_ body: @escaping @Sendable () -> Void) -> Bool { false }
}
