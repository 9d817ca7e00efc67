package import FlagModel

/// Where a client's values are stored for its next start.
///
/// No call waits for a disk.
package protocol SnapshotKeeping: Sendable {
    /// Looks for a context's values.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - completion: Called once, on any thread, with the values or `nil`.
    func load(for context: FlagContext, completion: @escaping @Sendable (FlagSnapshot?) -> Void)

    /// Stores a context's values, soon; of several in a row the last is stored.
    func save(_ snapshot: FlagSnapshot)

    /// Forgets all contexts' values, those too that are about to be stored.
    func removeAll()

    /// Tells when everything is stored that was to be at the time of the call.
    ///
    /// - Parameter completion: Called once, on any thread.
    func flush(_ completion: @escaping @Sendable () -> Void)
}
