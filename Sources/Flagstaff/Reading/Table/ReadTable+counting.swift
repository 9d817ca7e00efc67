extension ReadTable: ReadCounting {
    /// Counts no more, and forgets what was counted.
    func stopCounting() { isCounting = false }
}
