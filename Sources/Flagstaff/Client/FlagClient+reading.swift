extension FlagClient: FlagReader {
    /// The values in effect now, as one consistent set.
    ///
    /// Taking one costs no copy.
    public var snapshot: FlagSnapshot { core.cell.load() }
}
