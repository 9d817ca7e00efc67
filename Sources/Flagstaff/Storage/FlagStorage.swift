/// Where a client keeps what is to outlive the process: bytes by name, such as files in a folder.
///
/// ``FileFlagStorage`` and ``MemoryFlagStorage`` are two; an app can bring another, such as one that encrypts, and
/// check it with `FlagStorageConformance` of the module FlagstaffTesting.
///
/// What a client relies on:
/// - A name has 1 to 128 characters of `0`–`9`, `a`–`z`, `-` and `.`, the first of which is no full stop. It means
///   nothing to the storage. Any other name is refused with an error.
/// - ``write(_:as:)`` is atomic: whoever reads gets the bytes of one write or none, also after the process was killed
///   in the middle of it. When it returns, the bytes survive the end of the process.
/// - An error means "not stored". The client goes on with its memory and says so once.
///
/// Calls may block. One client makes them on one background queue, one at a time, never on the main thread; a storage
/// that several clients share gets calls from several threads at once.
public protocol FlagStorage: Sendable {
    /// The bytes under a name.
    ///
    /// - Parameter name: The name.
    /// - Returns: The bytes, or `nil` where there are none.
    /// - Throws: When there may be bytes that cannot be had.
    func read(_ name: String) throws -> [UInt8]?

    /// Puts bytes under a name, in place of former ones.
    ///
    /// - Parameters:
    ///   - bytes: The bytes; none at all is fine too.
    ///   - name: The name.
    /// - Throws: When they are not stored. What was under the name before is still there.
    func write(_ bytes: [UInt8], as name: String) throws

    /// Removes the bytes under a name, if there are any.
    ///
    /// - Parameter name: The name.
    /// - Throws: When there may still be bytes under the name.
    func remove(_ name: String) throws

    /// What is stored, in any order.
    ///
    /// - Returns: An entry for each name.
    /// - Throws: When that cannot be told.
    func entries() throws -> [FlagStorageEntry]
}

/// Something in a storage.
public struct FlagStorageEntry: Hashable, Sendable {
    /// The name it was written under.
    public var name: String
    /// How many bytes there are.
    public var size: Int
    /// When it was written last, in seconds since 1970 by the device's clock.
    public var modified: Double

    /// Makes an entry from its parts.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - size: How many bytes there are.
    ///   - modified: When it was written last, in seconds since 1970.
    public init(name: String, size: Int, modified: Double) {
        self.name = name
        self.size = size
        self.modified = modified
    }
}
