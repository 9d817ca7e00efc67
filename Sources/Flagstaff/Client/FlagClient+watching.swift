extension FlagClient {
    /// A flag's value as it is now, and then each other value that it takes.
    ///
    /// A reader that is slower than the changes gets the newest and skips those between; it never ends on an older
    /// one. Each iteration stands for itself and starts with the current value. The sequence ends when the client
    /// is closed or released, or the reading task is cancelled; it does not keep the client alive. Each element
    /// counts as one read.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - defaultValue: What stands for the flag where it has no value of this type.
    /// - Returns: The sequence of values.
    public func values<Value: FlagConvertible>(
        for key: String, default defaultValue: Value
    ) -> FlagUpdates<Value> {
        FlagUpdates(core: core, key: key) { $0.evaluation(of: key, default: defaultValue) }
    }

    /// A flag's value as it is now, and then each other value that it takes.
    ///
    /// - Parameter key: The declared key.
    /// - Returns: The sequence of values.
    public func values<Value: FlagConvertible>(for key: FlagKey<Value>) -> FlagUpdates<Value> {
        values(for: key.name, default: key.defaultValue)
    }

    /// A flag's value as a type that is decoded from it, as it is now, and then each other value that it takes.
    ///
    /// Like ``values(for:default:)``. The type is decoded in the reading task.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - type: The type to decode.
    ///   - defaultValue: What stands for the flag where it has no value, or none that this type can be decoded from.
    /// - Returns: The sequence of values.
    public func values<Value: Decodable & Equatable & Sendable>(
        for key: String, as type: Value.Type, default defaultValue: Value
    ) -> FlagUpdates<Value> {
        FlagUpdates(core: core, key: key) { $0.evaluation(of: key, as: type, default: defaultValue) }
    }

    /// What happens in the client's life from this access on, in order; `ready` and `closed` also where they are past.
    ///
    /// A reader that is more than 256 events behind loses the oldest. The sequence ends after the event `closed`.
    public var events: FlagEvents { FlagEvents(stream: core.listen()) }

    /// The changes of the values from this access on, each with all values before and after and the keys that changed.
    ///
    /// A reader that is slower than the changes gets several as one: nothing is skipped, and what went back to what it
    /// was is left out. The sequence ends when the client is closed or released, or the reading task is cancelled.
    public var changes: FlagChanges { core.observe() }
}
