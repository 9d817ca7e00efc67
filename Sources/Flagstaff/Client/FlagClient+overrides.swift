extension FlagClient {
    /// The values that win over all others on this device, by flag key: for debug menus and demonstrations.
    ///
    /// They last until they are removed or the client is let go of.
    public var overrides: [String: FlagValue] { core.overrides }

    /// Lets a flag have a value on this device, whatever the service says.
    ///
    /// When this returns, reads give the value and watchers are told; on a closed client nothing changes. The reads' ``FlagEvaluation/origin`` is
    /// ``FlagOrigin/override``.
    ///
    /// - Parameters:
    ///   - value: The value, usually a literal.
    ///   - key: The flag's key; the service need not know it.
    public func setOverride(_ value: FlagValue, for key: String) {
        core.changeOverrides { $0[key] = value }
    }

    /// Lets a flag have the value again that the service gives it.
    ///
    /// - Parameter key: The flag's key.
    public func removeOverride(for key: String) {
        core.changeOverrides { $0[key] = nil }
    }

    /// Lets all flags have the values again that the service gives them.
    public func removeAllOverrides() {
        core.changeOverrides { $0 = [:] }
    }
}
