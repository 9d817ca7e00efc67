import FlagModel

extension TelemetryMachine {
    /// The app starts the client, or sets a context.
    mutating func setContext(_ context: FlagContext) {
        switch phase {
        case .idle:
            self.context = context
            phase = .active
            // What an earlier run left behind goes first.
            pump()
            if !settings.isToldOfReads || hasReads || !window.isEmpty { arm() }
        case .active where context != self.context:
            self.context = context
            begin(.context)
        default:
            break
        }
    }

    /// Sees to it that there will be a tick, while the app can be seen.
    mutating func arm() {
        guard phase == .active, isForeground, timers[.tick] == nil else { return }
        schedule(.tick, after: hasTicked ? settings.flushInterval : settings.firstFlush)
    }

    /// The window's time is up.
    ///
    /// With a counter that tells of reads the next tick is set when there is something to report, so that an app that
    /// reads nothing is never woken. Without one the counter has to be looked at.
    mutating func tick() {
        guard phase == .active else { return }
        hasTicked = true
        begin(.tick)
        if !settings.isToldOfReads { arm() }
    }

    /// Begins to end the window: the counts come first.
    mutating func begin(_ occasion: Occasion) {
        collecting.append(occasion)
        // Before and not after the drain: a read in between may be told of in vain, but none is missed.
        hasReads = false
        act(.collect)
    }

    /// The counts are here.
    mutating func collected(_ reads: [CountedRead]) {
        guard !collecting.isEmpty else { return }
        let occasion = collecting.removeFirst()
        guard phase == .active || phase == .closing else { return }
        if settings.countsReads { window.add(reads, settings, &sampler, now: now.uptime) }
        if let final, final.occasion != occasion {
            // The last window is about to end, and takes these counts along; a flush is waited for by itself.
            guard case .flush = occasion, phase == .active else { return }
        }
        if occasion == .context, !canSend || now.uptime - lastCut < settings.contextSpacing {
            // The counts are told apart by their context anyway; many small windows would only push out each other.
            if !window.isEmpty { arm() }
            return
        }
        cut(occasion)
    }

    private mutating func cut(_ occasion: Occasion) {
        lastCut = now.uptime
        guard !window.isEmpty else { return settle(occasion, []) }
        let cut = TelemetryCut(window, at: now)
        window = TelemetryWindow(start: now.uptime)
        writing.append(occasion)
        act(.write(cut))
    }

    /// A window is written.
    mutating func written(_ batches: [OutgoingBatch]) {
        guard !writing.isEmpty else { return }
        settle(writing.removeFirst(), batches)
    }

    /// A window has ended; its batches are stored, or have to be sent from memory.
    private mutating func settle(_ occasion: Occasion, _ batches: [OutgoingBatch]) {
        switch occasion {
        case .tick, .context, .full:
            if final != nil {
                final?.batches += batches
                return continueFinal()
            }
            takeUnstored(batches)
            pump()
        case .flush(let id):
            takeUnstored(batches)
            for index in flushes.indices where flushes[index].id == id { flushes[index].isWritten = true }
            pump()
        case .background, .close, .release:
            settleFinal(occasion, batches)
        }
    }

    private mutating func takeUnstored(_ batches: [OutgoingBatch]) {
        guard phase == .active else { return }
        let further = batches.filter { !$0.isStored }
        // One window's worth at most waits in memory.
        if !further.isEmpty, !unstored.isEmpty { loseUnstored() }
        unstored += further
    }

    /// Gives up what could not be stored.
    mutating func loseUnstored() {
        guard !unstored.isEmpty else { return }
        act(
            .log(
                .warning,
                "\(unstored.count) reports were too large to be kept, and could not be sent: they are lost"))
        unstored = []
        for index in flushes.indices { flushes[index].hasLoss = true }
    }

    // MARK: Flush

    /// The app wants all to be delivered.
    mutating func flush(_ waiter: Waiter) {
        guard phase == .active else { return act(.complete(waiter.id, false)) }
        flushes.append(PendingFlush(id: waiter.id))
        if waiter.timeout < .infinity { schedule(.waiter(waiter.id), after: waiter.timeout) }
        begin(.flush(waiter.id))
    }

    /// Lets the flushes that the condition names return.
    mutating func endFlushes(_ isDelivered: Bool, where isMeant: (PendingFlush) -> Bool) {
        for flush in flushes where isMeant(flush) {
            act(.complete(flush.id, isDelivered && !flush.hasLoss))
            cancel(.waiter(flush.id))
        }
        flushes.removeAll(where: isMeant)
    }
}
