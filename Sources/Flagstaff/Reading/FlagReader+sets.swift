extension FlagReader {
    /// The keys of all flags, sorted.
    public var names: [String] { snapshot.keys }

    /// All flags as the service sent them, by key.
    ///
    /// Taking them counts no read.
    public var allFlags: [String: FlagResolution] { snapshot.resolutions }

    /// The flags that belong to at least one of the sets, sorted by key.
    ///
    /// Taking them counts no read.
    ///
    /// - Parameter sets: The names of flag sets, as the metadata says them (``FlagEvaluation/flagSets``).
    /// - Returns: Each flag once.
    public func flags(inSets sets: [String]) -> [FlagResolution] {
        let snapshot = snapshot
        let wanted = Set(sets)
        return snapshot.resolutions.values
            .filter { flag in
                !wanted.isDisjoint(
                    with: FlagMetadata.flagSets(in: flag.metadata, common: snapshot.metadata))
            }
            .sorted { $0.key < $1.key }
    }
}
