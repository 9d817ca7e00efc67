import FlagModel

extension TelemetryMachine {
    // MARK: Background and foreground

    /// The app goes to the background: what there is is stored and sent, once and within its bound.
    mutating func enterBackground() {
        guard isForeground else { return }
        isForeground = false
        cancel(.tick)
        guard phase == .active, final == nil else { return }
        act(.beginActivity)
        beginFinal(.background)
    }

    /// The app comes back: what waits is sent.
    mutating func enterForeground() {
        guard !isForeground else { return }
        isForeground = true
        guard phase == .active else { return }
        pump()
        if !settings.isToldOfReads || hasReads || !window.isEmpty { arm() }
    }

    // MARK: Close

    /// The app is done.
    mutating func close(_ id: Waiter.ID) {
        guard phase != .closed else { return act(.complete(id, true)) }
        closers.append(id)
        guard phase != .closing else { return }
        endFlushes(false) { _ in true }
        guard phase == .active else { return finishClose() }
        leaveForGood()
        beginFinal(.close)
    }

    /// The client is let go of.
    mutating func release() {
        guard phase != .closed else { return }
        endFlushes(false) { _ in true }
        guard phase == .active else { return finishClose() }
        leaveForGood()
        cutDelivery()
        beginFinal(.release)
    }

    private mutating func leaveForGood() {
        phase = .closing
        cancel(.tick)
        if final != nil { act(.endActivity) }
        final = nil
    }

    private mutating func cutDelivery() {
        guard let delivery else { return }
        act(.cancelSend(delivery.number))
        cancel(.deadline)
        self.delivery = nil
    }

    private mutating func finishClose() {
        phase = .closed
        cutDelivery()
        cancel(.tick)
        cancel(.budget)
        window = TelemetryWindow(start: now.uptime)
        unstored = []
        act(.stopCounting)
        act(.finish)
        for id in closers { act(.complete(id, true)) }
        closers = []
    }

    // MARK: The last delivery

    private mutating func beginFinal(_ occasion: Occasion) {
        final = Final(occasion: occasion, deadline: now.uptime + settings.finalBudget)
        if occasion == .close {
            final?.batches = unstored
            unstored = []
        }
        schedule(.budget, after: settings.finalBudget)
        begin(occasion)
    }

    /// The window of the last delivery is stored.
    mutating func settleFinal(_ occasion: Occasion, _ batches: [OutgoingBatch]) {
        guard final?.occasion == occasion else { return }
        if occasion == .release || now.uptime < holdUntil { return endFinal() }
        if delivery != nil, !settings.awaitsReportInFlight { return endFinal() }
        // What is in flight goes first: its end is worth waiting for, as it spares the service a second copy.
        final?.batches += batches
        continueFinal()
    }

    /// Goes on with the last delivery after one of its parts, or ends it.
    mutating func continueFinal() {
        guard var final, delivery == nil else { return }
        let remaining = final.deadline - now.uptime
        if final.batches.isEmpty || remaining <= 0 || now.uptime < holdUntil {
            // A delivery from before can end while the window is still being stored.
            let isUnsettled = collecting.contains(final.occasion) || writing.contains(final.occasion)
            return isUnsettled ? () : endFinal()
        }
        let batch = final.batches.removeFirst()
        self.final = final
        send(batch, timeout: min(settings.timeout, remaining))
    }

    /// The last delivery is over, or its time is up: what is stored goes out when the app is back, or started again.
    mutating func endFinal() {
        guard let final else { return }
        self.final = nil
        cancel(.budget)
        guard final.occasion == .background else { return finishClose() }
        act(.endActivity)
        if phase == .active { pump() }
    }
}
