import FlagLocking
public import Flagstaff

extension TestFlagService {
    // MARK: What is served

    /// The values that are served to every context, by flag.
    ///
    /// Flags without a value, and what ``evaluate(_:)`` adds, are not among them.
    public var values: [String: FlagValue] {
        model.withLock { $0.flags.compactMapValues(\.value) }
    }

    /// The flags that are served to every context.
    public var resolutions: [FlagResolution] {
        model.withLock { $0.flags.values.sorted { $0.key < $1.key } }
    }

    /// Sets a flag's value, and sends the flag to every client that is up to date, also where it serves that value
    /// already.
    ///
    /// The value has arrived when the call returns: see ``TestFlagService``.
    ///
    /// - Parameters:
    ///   - value: The value. A number in it that is not finite is a fault of the test and stops it with a message.
    ///   - key: The flag's key; not blank.
    ///   - sendsAll: Whether to send all flags in place of this one. Default `false`.
    public func setValue(_ value: FlagValue, for key: String, sendingAll sendsAll: Bool = false) {
        setValues([key: value], sendingAll: sendsAll)
    }

    /// Sets the values of several flags in one step.
    ///
    /// - Parameters:
    ///   - values: The values by flag.
    ///   - sendsAll: Whether to send all flags in place of these. Default `false`.
    public func setValues(_ values: [String: FlagValue], sendingAll sendsAll: Bool = false) {
        setResolutions(.values(values), sendingAll: sendsAll)
    }

    /// Sets what a flag is resolved to: value or none, variant, reason, error, metadata.
    ///
    /// - Parameters:
    ///   - resolution: What the flag is resolved to.
    ///   - sendsAll: Whether to send all flags in place of this one. Default `false`.
    public func setResolution(_ resolution: FlagResolution, sendingAll sendsAll: Bool = false) {
        setResolutions([resolution], sendingAll: sendsAll)
    }

    /// Sets what several flags are resolved to, in one step.
    ///
    /// - Parameters:
    ///   - resolutions: What the flags are resolved to; of two with one key the last counts.
    ///   - sendsAll: Whether to send all flags in place of these. Default `false`.
    public func setResolutions(_ resolutions: [FlagResolution], sendingAll sendsAll: Bool = false) {
        let resolutions = resolutions.map(\.checked)
        update { model in
            for resolution in resolutions { model.flags[resolution.key] = resolution }
            model.version += 1
            model.push(touched: Set(resolutions.map(\.key)), isWhole: sendsAll)
        }
    }

    /// Removes a flag: reads of it give their defaults.
    ///
    /// - Parameters:
    ///   - key: The flag's key; one that is unknown removes nothing, and clients are sent an update all the same.
    ///   - sendsAll: Whether to send all flags that are left in place of the news that this one is gone. Default
    ///     `false`.
    public func removeValue(for key: String, sendingAll sendsAll: Bool = false) {
        update { model in
            model.flags[key] = nil
            model.version += 1
            model.push(isWhole: sendsAll)
        }
    }

    /// Replaces all values in one step, and sends all flags.
    ///
    /// - Parameter values: The values by flag.
    public func replaceValues(_ values: [String: FlagValue]) {
        replaceResolutions(.values(values))
    }

    /// Replaces all flags in one step, and sends all of them.
    ///
    /// - Parameter resolutions: What the flags are resolved to; of two with one key the last counts.
    public func replaceResolutions(_ resolutions: [FlagResolution]) {
        let flags = resolutions.map { ($0.key, $0.checked) }
        update { model in
            model.flags = Dictionary(flags, uniquingKeysWith: { _, last in last })
            model.version += 1
            model.push(isWhole: true)
        }
    }

    /// What is attached to the whole set of flags.
    ///
    /// Clients get it like a value.
    public var metadata: [String: FlagValue] {
        get { model.withLock { $0.metadata } }
        set {
            update { model in
                model.metadata = newValue
                model.version += 1
                model.push()
            }
        }
    }

    /// Serves flags that depend on the context, on top of those that every context is served.
    ///
    /// ```swift
    /// service.evaluate { context in
    ///     context.attributes["plan"] == "pro" ? .values(["max-items": 100]) : []
    /// }
    /// ```
    ///
    /// What it gives wins over the flags that were set. Clients are sent what changes for their context.
    ///
    /// - Parameter evaluation: Gives the flags of a context. Called on any thread, as often as there is a request or a
    ///   change; what it gives should follow from the context alone. `nil`: no such flags.
    public func evaluate(_ evaluation: (@Sendable (FlagContext) -> [FlagResolution])?) {
        var checking: ServiceModel.Evaluation?
        if let evaluation { checking = { context in evaluation(context).map(\.checked) } }
        model.withLock { [checking] model in
            model.evaluation = checking
            model.evaluationVersion += 1
            model.version += 1
        }
        update { $0.push() }
    }

    /// How clients are told that something has changed.
    ///
    /// A client learns of another way with its next request.
    public var delivery: Delivery {
        get { model.withLock { $0.delivery } }
        set {
            model.withLock { model in
                model.delivery = newValue
                // What clients hold no longer says where changes come from.
                model.version += 1
            }
        }
    }
}
