/// What stands for flags that cannot be evaluated: for some by name, and for all others.
public struct FallbackTreatmentsConfig: Hashable, Sendable {
    /// What stands for all flags that ``byFlag`` does not name.
    public let global: FallbackTreatment?
    /// What stands for a flag, by its name.
    public let byFlag: [String: FallbackTreatment]

    /// Begins a configuration.
    ///
    /// - Returns: A builder.
    public static func builder() -> Builder { Builder() }

    /// Builds a ``FallbackTreatmentsConfig``.
    public struct Builder: Sendable {
        private var globalFallback: FallbackTreatment?
        private var flagFallbacks: [String: FallbackTreatment] = [:]

        /// Sets what stands for all flags.
        ///
        /// - Parameter fallback: The fallback.
        /// - Returns: The builder.
        public func global(_ fallback: FallbackTreatment) -> Builder {
            var copy = self
            copy.globalFallback = fallback
            return copy
        }

        /// Sets what stands for all flags.
        ///
        /// - Parameter treatment: The treatment.
        /// - Returns: The builder.
        @_disfavoredOverload
        public func global(_ treatment: String) -> Builder { global(FallbackTreatment(treatment: treatment)) }

        /// Sets what stands for flags by name.
        ///
        /// - Parameter fallbacks: The fallbacks by flag.
        /// - Returns: The builder.
        public func byFlag(_ fallbacks: [String: FallbackTreatment]) -> Builder {
            var copy = self
            copy.flagFallbacks = fallbacks
            return copy
        }

        /// Sets what stands for flags by name.
        ///
        /// - Parameter treatments: The treatments by flag.
        /// - Returns: The builder.
        @_disfavoredOverload
        public func byFlag(_ treatments: [String: String]) -> Builder {
            byFlag(treatments.mapValues { FallbackTreatment(treatment: $0) })
        }

        /// Ends the configuration.
        ///
        /// - Returns: The configuration.
        public func build() -> FallbackTreatmentsConfig {
            FallbackTreatmentsConfig(global: globalFallback, byFlag: flagFallbacks)
        }
    }

    init(global: FallbackTreatment? = nil, byFlag: [String: FallbackTreatment] = [:]) {
        self.global = global
        self.byFlag = byFlag
    }

    /// The configuration without what is invalid, and what is to be said of that.
    var checked: (config: FallbackTreatmentsConfig, errors: [String]) {
        var errors: [String] = []
        func take(_ fallback: FallbackTreatment, _ place: String) -> FallbackTreatment? {
            if fallback.isValid { return fallback }
            errors.append("the \(place) is no treatment and is passed over")
            return nil
        }
        let global = global.flatMap { take($0, "global fallback") }
        var flags: [String: FallbackTreatment] = [:]
        for (flag, fallback) in byFlag.sorted(by: { $0.key < $1.key }) {
            if flag.isEmpty || flag.count > 100 || flag.contains(where: \.isWhitespace) {
                errors.append("the fallback of '\(flag)' is passed over: no flag has such a name")
            } else {
                flags[flag] = take(fallback, "fallback of '\(flag)'")
            }
        }
        return (FallbackTreatmentsConfig(global: global, byFlag: flags), errors)
    }

    /// What stands for a flag.
    func fallback(for flag: String) -> FallbackTreatment {
        byFlag[flag] ?? global ?? FallbackTreatment(treatment: Treatment.control)
    }
}
