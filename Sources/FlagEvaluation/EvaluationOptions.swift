/// How the operator `fractional` turns a value into a bucket.
package enum FractionalScheme: String, Hashable, Sendable, CaseIterable {
    /// Hashes the UTF-8 bytes of a string; other values do not bucket.
    case v2
    /// Hashes the deterministic CBOR encoding of any value but a list or `null`.
    case v3
}

/// What a definition may ask for at most, so that no file and no context can take the process down.
package struct EvaluationLimits: Hashable, Sendable {
    /// How many levels of objects and lists one rule, or one value of a variant, may have; an operator with a
    /// list of arguments is two levels.
    ///
    /// Default 400. More than 500 have no effect, as definitions are not read deeper.
    package var ruleDepth: Int
    /// How many operators and literals one flag's rule may have, references expanded.
    ///
    /// Default 50,000.
    package var ruleSize: Int
    /// How many operators and literals all rules of a file may have together, references expanded.
    ///
    /// Default 2,000,000.
    package var totalRuleSize: Int
    /// How many steps one evaluation may take; reading long texts and lists counts in proportion.
    ///
    /// Default 200,000, which is a few milliseconds.
    package var steps: Int
    /// How many bytes of texts and lists one evaluation may produce.
    ///
    /// Default 4 MiB.
    package var producedBytes: Int

    /// Makes limits.
    package init(
        ruleDepth: Int = 400,
        ruleSize: Int = 50_000,
        totalRuleSize: Int = 2_000_000,
        steps: Int = 200_000,
        producedBytes: Int = 4 << 20
    ) {
        self.ruleDepth = ruleDepth
        self.ruleSize = ruleSize
        self.totalRuleSize = totalRuleSize
        self.steps = steps
        self.producedBytes = producedBytes
    }
}

/// How definitions are read and evaluated.
package struct EvaluationOptions: Hashable, Sendable {
    /// The scheme of the operator `fractional`.
    ///
    /// Default: v3.
    package var fractional: FractionalScheme
    /// What a definition may ask for at most.
    package var limits: EvaluationLimits

    /// Makes options.
    package init(fractional: FractionalScheme = .v3, limits: EvaluationLimits = EvaluationLimits()) {
        self.fractional = fractional
        self.limits = limits
    }
}
