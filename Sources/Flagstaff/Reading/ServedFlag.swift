import FlagLocking
import FlagModel

/// What reads of one flag give, for as long as nothing about it changes.
final class ServedFlag: Sendable {
    /// The flag's key, as the read named it.
    let key: String
    /// What the service says, or `nil` for an unknown flag.
    let resolution: FlagResolution?
    /// What all flags have in common.
    let scope: ReadScope
    /// Where the value comes from.
    let origin: FlagOrigin
    /// The value, or `nil` where the code's default applies.
    let value: FlagValue?
    /// The rule for types, where it is not the usual one.
    private let coercion: FlagCoercion?
    /// The value where it is read as text; beside ``value``, so that a read of text finds it at once.
    let text: String?
    /// What is computed when somebody asks, and once.
    private let computed = Lock(Computed())

    private struct Computed: Sendable {
        var valueID: String?
        var labels: Labels?
    }

    /// What the metadata says that is asked for by name.
    struct Labels: Sendable {
        /// The flag's version.
        var version: String?
        /// The sets that the flag belongs to.
        var flagSets: [String]
    }

    /// Makes what reads of a flag give.
    init(
        key: String, resolution: FlagResolution?, scope: ReadScope, origin: FlagOrigin,
        coercion: FlagCoercion? = nil
    ) {
        self.key = key
        self.resolution = resolution
        self.scope = scope
        self.origin = origin
        self.coercion = coercion
        value = resolution?.errorCode == nil ? resolution?.value : nil
        if let coercion {
            text = try? coercion.value(of: resolution, as: .string)?.stringValue
        } else {
            text = value?.stringValue
        }
    }

    /// The value's stable hash; `nil` where the code's default applies.
    var valueID: String? {
        guard let value else { return nil }
        return computed.withLock { computed in
            if let known = computed.valueID { return known }
            let id = ValueID.text(of: value)
            computed.valueID = id
            return id
        }
    }

    /// What the metadata says.
    var labels: Labels {
        computed.withLock { computed in
            if let known = computed.labels { return known }
            let labels =
                resolution.map { flag in
                    Labels(
                        version: FlagMetadata.version(in: flag.metadata),
                        flagSets: FlagMetadata.flagSets(in: flag.metadata, common: scope.metadata))
                } ?? Labels(flagSets: [])
            computed.labels = labels
            return labels
        }
    }

    /// What a read is told beside the value.
    struct Outcome: Sendable {
        var isDefault: Bool
        var variant: String?
        var reason: FlagReason
        var errorCode: FlagErrorCode?
    }

    /// What a read is told for whose type the value fits, or does not.
    func outcome(fits: Bool) -> Outcome {
        guard let resolution else {
            return Outcome(
                isDefault: true, reason: .error, errorCode: scope.isReady ? .flagNotFound : .providerNotReady)
        }
        if let code = resolution.errorCode {
            return Outcome(isDefault: true, variant: resolution.variant, reason: .error, errorCode: code)
        }
        if value != nil, !fits {
            return Outcome(isDefault: true, reason: .error, errorCode: .typeMismatch)
        }
        return Outcome(
            isDefault: value == nil, variant: resolution.variant,
            reason: scope.isStale ? .stale : resolution.reason)
    }

    /// What went wrong, in words; `nil` where nothing did.
    private func errorDetails(_ code: FlagErrorCode?, key: String, requestedType: Any.Type) -> String? {
        guard let code else { return nil }
        guard let resolution else {
            return scope.isReady
                ? "the service has no flag '\(key)' for this client"
                : "no values have arrived yet: await start(context:) or setContext(_:) first, or read again later"
        }
        if code == .typeMismatch, let value {
            return "flag '\(key)' serves \(value.kindWithArticle) that is no \(requestedType)"
        }
        return resolution.errorDetails
    }

    /// The result of a read with all that is known about it.
    ///
    /// - Parameters:
    ///   - key: The key that was read.
    ///   - converted: The value as the type that the read asked for, or `nil` where there is none or it does not fit.
    ///   - defaultValue: The default that the read named.
    ///   - requestedType: The type that the read asked for.
    ///   - mismatch: Why the value does not fit, where more is known than that it does not.
    /// - Returns: The result.
    func evaluation<Value>(
        of key: String, converted: Value?, default defaultValue: Value, requestedType: Any.Type = Value.self,
        mismatch: String? = nil
    ) -> FlagEvaluation<Value> {
        let outcome = outcome(fits: converted != nil)
        let labels = labels
        var served: Value?
        if !outcome.isDefault { served = converted }
        return FlagEvaluation(
            key: key, value: served ?? defaultValue, isDefault: outcome.isDefault, variant: outcome.variant,
            reason: outcome.reason, errorCode: outcome.errorCode,
            errorDetails: mismatch ?? errorDetails(outcome.errorCode, key: key, requestedType: requestedType),
            metadata: resolution?.metadata ?? scope.metadata, version: labels.version,
            flagSets: labels.flagSets,
            identity: outcome.isDefault ? nil : .served(self), origin: outcome.isDefault ? .default : origin,
            context: scope.context)
    }

    /// Whether reads of that kind are served the value.
    func serves(_ kind: ReadKind) -> Bool {
        converted(to: kind) != nil
    }

    /// The value as reads of that kind are given it; `nil` where it does not fit.
    func converted(to kind: ReadKind) -> FlagValue? {
        guard let coercion, kind.target != nil else {
            // `.none`, as `nil` would be the value `null`.
            return value.flatMap { kind.fits($0) ? $0 : .none }
        }
        return try? coercion.value(of: resolution, as: kind)
    }

    /// The value as a type that reads ask for; `nil` where it does not fit.
    func converted<Value: FlagConvertible>(to type: Value.Type) -> Value? {
        let kind = ReadKind(type)
        guard coercion != nil, kind.target != nil else { return value.flatMap(Value.init(flagValue:)) }
        return converted(to: kind).flatMap(Value.init(flagValue:))
    }

    /// Why the value cannot be read as that kind, where the rule says so in words.
    func mismatch(_ kind: ReadKind) -> String? {
        guard let coercion, kind.target != nil else { return nil }
        do {
            _ = try coercion.value(of: resolution, as: kind)
            return nil
        } catch {
            return (error as? FlagCoercion.Mismatch)?.details
        }
    }

    /// What reads of that kind are served, as 64 bits; `nil` where the default applies or it is longer.
    func bits(_ kind: ReadKind) -> UInt64? {
        guard kind == .activity else { return converted(to: kind).flatMap(kind.bits) }
        return value == nil ? nil : resolution?.isActive == true ? 1 : 0
    }

    /// The count of no reads of that kind.
    func counted(_ kind: ReadKind) -> CountedRead {
        let outcome = outcome(fits: serves(kind))
        return CountedRead(
            key: key, variant: outcome.variant, reason: outcome.reason, errorCode: outcome.errorCode,
            valueID: outcome.isDefault ? nil : valueID, isDefault: outcome.isDefault,
            requestedType: outcome.errorCode == .typeMismatch && value != nil ? kind.requestedType : nil,
            version: labels.version, context: scope.context, count: 0)
    }
}
