import Flagstaff

/// What a client needs of its configuration, checked.
struct ClientSettings: Sendable {
    let configsEnabled: Bool
    /// How long until a client says that it is not ready, in seconds; infinite for never.
    let readyTimeout: Double
    let logger: any FlagLogger
    private let fallbacks: FallbackTreatmentsConfig
    /// The flags to keep; `nil` for all.
    private let names: Set<String>?

    init(_ config: SplitClientConfig, logger: any FlagLogger) {
        self.logger = logger
        configsEnabled = config.configsEnabled
        switch config.readyTimeout {
        case -1: readyTimeout = .infinity
        case ...0: readyTimeout = 10
        default: readyTimeout = Double(config.readyTimeout)
        }
        let (fallbacks, errors) = config.fallbackTreatments.checked
        for error in errors { logger.error(error) }
        self.fallbacks = fallbacks
        let names = config.evaluationFilters?.flagNames ?? []
        self.names = names.isEmpty ? nil : Set(names)
    }

    /// Whether the app wants to know of a flag.
    func keeps(_ flag: String) -> Bool { names?.contains(flag) ?? true }

    /// What stands for a flag that cannot be evaluated.
    func fallback(_ flag: String) -> EvaluationResult {
        let fallback = fallbacks.fallback(for: flag)
        return EvaluationResult(
            flag: flag, treatment: fallback.treatment, config: configsEnabled ? fallback.config : nil)
    }

    /// What the flags are to the app.
    func entries(_ snapshot: FlagSnapshot) -> [String: Readiness.Entry] {
        var entries: [String: Readiness.Entry] = [:]
        for key in snapshot.resolutions.keys where keeps(key) {
            let read = snapshot.evaluation(of: key, default: FlagValue.null)
            if read.isDefault { continue }
            entries[key] = Readiness.Entry(
                treatment: Treatment(
                    read.value, variant: read.variant, metadata: read.metadata, hasConfig: configsEnabled),
                flagSets: read.flagSets, changeNumber: read.version.flatMap { Int64($0) })
        }
        return entries
    }

    /// Says which attributes are not sent.
    func warn(of target: Target) {
        if target.dropped.isEmpty { return }
        logger.warning(
            "attributes are dropped that are neither strings, finite numbers, Booleans nor arrays of those: "
                + target.dropped.joined(separator: ", "))
    }

    /// Says which names are no flag sets.
    func warn(ofSets names: [String]) {
        if names.isEmpty { return }
        logger.warning("no flag sets, and passed over: \(names.joined(separator: ", "))")
    }
}
