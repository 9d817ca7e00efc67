import FlagModel

extension TelemetryMachine {
    /// Whether nothing is in the way of a delivery.
    var canSend: Bool {
        phase == .active && delivery == nil && !isLoading && final == nil && now.uptime >= holdUntil
            && (isForeground || !flushes.isEmpty)
    }

    /// Sends the next batch, if there is one and nothing is in the way.
    mutating func pump() {
        guard canSend else {
            if phase == .active, now.uptime < holdUntil {
                endFlushes(false) { $0.isWritten }
                arm()
            }
            return
        }
        if unstored.isEmpty {
            isLoading = true
            act(.load)
        } else {
            send(unstored.removeFirst(), timeout: settings.timeout)
        }
    }

    /// The oldest stored batch, or none.
    mutating func loaded(_ batch: OutgoingBatch?) {
        isLoading = false
        guard canSend else { return pump() }
        // A queue that cannot delete must not make the client send the same for ever.
        if let batch, batch.id != settledID {
            send(batch, timeout: settings.timeout)
        } else if unstored.isEmpty {
            endFlushes(true) { $0.isWritten }
        } else {
            pump()
        }
    }

    /// Sends a batch.
    mutating func send(_ batch: OutgoingBatch, timeout: Double) {
        let number = nextNumber()
        delivery = Delivery(number: number, batch: batch)
        act(.send(number, batch, timeout: timeout))
        schedule(.deadline, after: timeout)
    }

    /// A delivery is over.
    mutating func answered(_ number: Int, _ answer: TelemetryAnswer) {
        guard let delivery, delivery.number == number else { return }
        cancel(.deadline)
        self.delivery = nil
        finish(delivery.batch, answer)
    }

    /// The delivery in flight has used up its time.
    mutating func overdue() {
        guard let delivery else { return }
        act(.cancelSend(delivery.number))
        cancel(.deadline)
        self.delivery = nil
        finish(delivery.batch, .failed("the service did not answer in time"))
    }

    private mutating func finish(_ batch: OutgoingBatch, _ answer: TelemetryAnswer) {
        switch answer.outcome {
        case .accepted:
            if isFailing { act(.log(.info, "reports are delivered again")) }
            isFailing = false
            settle(batch)
        case .drop:
            act(.log(.warning, "a report is not accepted and is dropped: \(answer)"))
            settle(batch)
            for index in flushes.indices { flushes[index].hasLoss = true }
        case .keep:
            hold(batch, answer)
            if final == nil { arm() }
        case .refuse:
            return refuse(answer)
        }
        if final != nil { continueFinal() } else { pump() }
    }

    /// The batch is dealt with.
    private mutating func settle(_ batch: OutgoingBatch) {
        guard batch.isStored else { return }
        settledID = batch.id
        act(.remove(batch.id))
    }

    private mutating func hold(_ batch: OutgoingBatch, _ answer: TelemetryAnswer) {
        let delay = max(
            settings.failureFloor, answer.delay(wall: now.wall, cap: settings.retryAfterCap))
        holdUntil = max(holdUntil, now.uptime + delay)
        let fate = batch.isStored ? "it is kept" : "it was too large to be kept"
        // Said once for a row of failures: a device can be offline for a day.
        act(.log(isFailing ? .debug : .warning, "a report could not be delivered, \(fate): \(answer)"))
        isFailing = true
        if !batch.isStored { for index in flushes.indices { flushes[index].hasLoss = true } }
    }

    /// The service wants no reports: everything is deleted, and nothing is counted towards reports any more.
    private mutating func refuse(_ answer: TelemetryAnswer) {
        if case .status(404, _) = answer, !settings.isServiceNamed {
            act(.log(.info, "the service takes no reports (404): none are sent"))
        } else {
            act(
                .log(.error, "reports are refused (\(answer)): none are sent any more; check key and address")
            )
        }
        if phase == .active { phase = .stopped }
        window = TelemetryWindow(start: now.uptime)
        unstored = []
        act(.stopCounting)
        act(.removeAll)
        cancel(.tick)
        endFlushes(false) { _ in true }
        final?.batches = []
        if final != nil { endFinal() }
    }
}
