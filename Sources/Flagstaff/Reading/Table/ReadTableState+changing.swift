import CFlagAtomics

extension ReadTableState {
    /// A stripe of a cell that was open before a change.
    private struct Opening {
        let entry: Int
        let kind: ReadKind
        let cell: ReadCell
        let stripe: Int
    }

    /// Puts other values in effect, for all reads at once.
    ///
    /// First all cells that the change touches are closed: a word is exchanged for a closed one of the next
    /// generation, which takes out the counts that belong to the former result. Then they are opened with what is
    /// served from now on. A read in between finds a closed cell and waits for the lock: nobody sees a part of a
    /// change, and nobody sees the old after somebody saw the new.
    ///
    /// - Returns: What was in effect before, to be let go of after the lock.
    mutating func replace(by next: FlagSnapshot) -> [AnyObject] {
        let former = snapshot.contents
        snapshot = next
        let isNewScope = !next.contents.scope.equals(scope)
        if isNewScope { scope = next.contents.scope }
        var letGo: [AnyObject] = [former]
        var openings: [Opening] = []
        let snapshotStripes = closeSnapshot(former)
        for number in entries.indices {
            let entry = entries[number]
            // What stands for further names is none itself, even where a flag is called so.
            let resolution = number == Self.others ? nil : snapshot.resolution(of: entry.key)
            let origin = snapshot.origin(of: entry.key)
            if !isNewScope, entry.served.origin == origin, entry.served.resolution == resolution { continue }
            letGo.append(entry.served)
            close(number, &openings)
            entries[number].served = served(entry.key, resolution)
        }
        for stripe in snapshotStripes { openSnapshot(stripe) }
        if observers.isEmpty { reopen(openings) }
        return letGo
    }

    /// Closes all cells, so that all reads come to the lock from now on.
    mutating func closeAll() {
        var openings: [Opening] = []
        for number in entries.indices { close(number, &openings) }
    }

    private mutating func close(_ number: Int, _ openings: inout [Opening]) {
        let former = entries[number]
        entries[number].generation += 1
        let closed = CountWord(.closed, generation: entries[number].generation)
        for (kind, cell) in former.cells {
            var pins = 0
            for stripe in 0..<memory.stripeCount {
                let word = cell.word(stripe)
                if CountWord(bits: flag_load_relaxed(word)).isOpen {
                    let found = CountWord(bits: flag_exchange(word, closed.bits))
                    if found.count > 0 { add(former.served, kind, found.count) }
                    pins += found.pins
                    openings.append(Opening(entry: number, kind: kind, cell: cell, stripe: stripe))
                } else {
                    flag_store_relaxed(word, closed.bits)
                }
            }
            retire(former.served, cell, former.generation, pins)
        }
    }

    private func reopen(_ openings: [Opening]) {
        for opening in openings {
            publish(entries[opening.entry], opening.cell, opening.kind, opening.stripe)
        }
    }

    /// Closes the snapshot's cell and returns the stripes on which it was open.
    private mutating func closeSnapshot(_ former: FlagSnapshot.Contents) -> [Int] {
        let generation = snapshotGeneration
        snapshotGeneration += 1
        let closed = CountWord(.closed, generation: snapshotGeneration)
        var pins = 0
        var stripes: [Int] = []
        for stripe in 0..<memory.stripeCount {
            let found = CountWord(bits: flag_exchange(snapshotCell.word(stripe), closed.bits))
            pins += found.isOpen ? found.pins : 0
            if found.isOpen { stripes.append(stripe) }
        }
        retire(former, snapshotCell, generation, pins)
        return stripes
    }

    /// Lets reads on a stripe find the snapshot.
    func openSnapshot(_ stripe: Int) {
        let word = snapshotCell.word(stripe)
        if CountWord(bits: flag_load_relaxed(word)).isOpen { return }
        flag_store_relaxed(word + 1, Self.address(of: snapshot.contents))
        flag_store_release(word, CountWord(.served, generation: snapshotGeneration).bits)
    }

    /// Keeps an object for the readers that had pinned it.
    private mutating func retire(_ object: AnyObject, _ cell: ReadCell, _ generation: UInt64, _ pins: Int) {
        if pins == 0 { return }
        retired[CellGeneration(cell: cell.base, generation: generation & CountWord.generationLimit)] =
            Retired(object: object, pins: pins)
    }

    /// Gives back a pin that a reader could not give back itself, as the flag had changed.
    ///
    /// - Returns: The object, to be let go of after the lock, when this was the last.
    mutating func release(_ cell: ReadCell, since pinned: CountWord) -> AnyObject? {
        let place = CellGeneration(cell: cell.base, generation: pinned.generation)
        guard var found = retired[place] else { return nil }
        found.pins -= 1
        retired[place] = found.pins == 0 ? nil : found
        return found.pins == 0 ? found.object : nil
    }

    // MARK: Counting

    /// Takes out all counts since the last time.
    mutating func drain() -> CountBook.Batch {
        for entry in entries {
            for (kind, cell) in entry.cells {
                for stripe in 0..<memory.stripeCount { takeCounts(cell, stripe, entry.served, kind) }
            }
        }
        return book.take()
    }
}
