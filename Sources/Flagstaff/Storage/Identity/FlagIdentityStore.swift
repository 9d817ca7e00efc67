private import Dispatch
import FlagLocking
public import FlagModel
private import Foundation

/// Remembers who uses the app from one run to the next: an id of the installation, and a context if the app wants it.
///
/// ```swift
/// let identity = FlagIdentityStore()
/// let context = await identity.rememberedContext() ?? FlagContext(key: await identity.anonymousID(), isAnonymous: true)
/// await flags.start(context: context)
/// ```
///
/// **What is stored.** One small file below Application Support (Linux: `$XDG_STATE_HOME`, else `~/.local/state`), for
/// this user alone, left out of backups, protected until the first unlock. It holds the id and, after
/// ``remember(_:)``, the context **in clear**, until ``forget()``. Clients never write a context themselves.
///
/// **Threads.** The file is read once, at the first question. The `async` methods do that on a queue of their own; the
/// others wait for it, about a millisecond, and are instant from then on. Changes take effect at once and are written
/// later; ``flush()`` waits for that. Where the file cannot be read or written, all of it works in memory, and one
/// warning says so.
///
/// Use one store for one name in a process: a second one would not see the changes of the first.
public final class FlagIdentityStore: Sendable {
    private struct State: Sendable {
        var identity = StoredIdentity()
        /// Whether the file was read, so that what it says is in `identity`.
        var isLoaded = false
        /// Whether the context was set before the file was read, which then says nothing of it.
        var hasContext = false
    }

    private let owner: ClientStorage
    private let state = Lock(State())

    /// Makes a store; nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - storageName: Tells apart several stores of one app. Default `nil`.
    ///   - storage: Where to store; ``MemoryFlagStorage`` for nowhere. Default `nil`: a file of its own.
    ///   - logger: Where faults are reported. Default: as that of a client.
    public convenience init(
        storageName: String? = nil, storage: (any FlagStorage)? = nil, logger: (any FlagLogger)? = nil
    ) {
        self.init(
            storageName: storageName, storage: storage, logger: logger ?? defaultFlagLogger(),
            environment: ProcessInfo.processInfo.environment)
    }

    /// Makes a store in an environment of its own.
    init(
        storageName: String?, storage: (any FlagStorage)?, logger: any FlagLogger,
        environment: [String: String]
    ) {
        let namespace = StorageNamespace(identityOf: storageName).name
        if let storage {
            owner = ClientStorage(
                storage, prefix: "\(namespace.prefix(16)).", logger: logger, time: SystemTime())
        } else {
            let path = StorageFolder.path(namespace, environment: environment)
            owner = ClientStorage(
                path.map { FileFlagStorage(sharedFolder: $0) }, logger: logger, time: SystemTime())
        }
    }

    // MARK: The id of the installation

    /// The id of this installation: a UUID in lower case, made at the first question and the same from then on.
    ///
    /// It survives everything but ``resetAnonymousID()`` and the removal of the app or its data.
    ///
    /// - Returns: The id.
    public func anonymousID() async -> String {
        if let id = knownID { return id }
        return await withCheckedContinuation { continuation in
            owner.perform(isAwaited: true) { continuation.resume(returning: self.makeID($0)) }
        }
    }

    /// The id of this installation, like ``anonymousID()``, for code that cannot await.
    ///
    /// The first call waits for the disk.
    ///
    /// - Returns: The id.
    public func waitForAnonymousID() -> String {
        if let id = knownID { return id }
        return owner.wait { makeID($0) }
    }

    private var knownID: String? {
        state.withLock { $0.isLoaded ? $0.identity.anonymousID : nil }
    }

    /// The id, which is made and stored if there is none.
    private func makeID(_ storage: DependableStorage) -> String {
        load(storage)
        let newID = Self.newID()
        let id = state.withLock { state in
            let id = state.identity.anonymousID ?? newID
            state.identity.anonymousID = id
            return id
        }
        if id == newID { write(storage) }
        return id
    }

    /// Makes another id, for a user who asks not to be recognized.
    ///
    /// - Returns: The new id.
    @discardableResult
    public func resetAnonymousID() -> String {
        let id = Self.newID()
        state.withLock { $0.identity.anonymousID = id }
        store()
        return id
    }

    private static func newID() -> String { UUID().uuidString.lowercased() }

    // MARK: The remembered context

    /// The context that was remembered last, also in an earlier run; `nil` when there is none.
    ///
    /// - Returns: The context.
    public func rememberedContext() async -> FlagContext? {
        await prepare()
        return waitForRememberedContext()
    }

    /// The context that was remembered last, like ``rememberedContext()``, for code that cannot await.
    ///
    /// The first call waits for the disk.
    ///
    /// - Returns: The context.
    public func waitForRememberedContext() -> FlagContext? {
        load()
        return state.withLock { $0.identity.context }
    }

    /// Remembers a context for the next start, in place of a former one: **in clear**, with all of its attributes.
    ///
    /// - Parameter context: The context.
    public func remember(_ context: FlagContext) {
        setContext(context)
    }

    /// Erases the remembered context; the id of the installation stays.
    public func forget() {
        setContext(nil)
    }

    private func setContext(_ context: FlagContext?) {
        state.withLock { state in
            state.identity.context = context
            state.hasContext = true
        }
        store()
    }

    // MARK: The file

    /// Waits until all changes before this call are stored, or were tried to be.
    public func flush() async {
        await withCheckedContinuation { continuation in
            owner.perform(isAwaited: true) { _ in continuation.resume() }
        }
    }

    /// Reads the file off the caller's thread.
    private func prepare() async {
        if state.withLock({ $0.isLoaded }) { return }
        await withCheckedContinuation { continuation in
            owner.perform(isAwaited: true) { storage in
                self.load(storage)
                continuation.resume()
            }
        }
    }

    private func load() {
        if state.withLock({ $0.isLoaded }) { return }
        owner.wait { load($0) }
    }

    private func load(_ storage: DependableStorage) {
        if state.withLock({ $0.isLoaded }) { return }
        var stored = StoredIdentity()
        if let file = storage.read(Self.name) {
            if let identity = StoredIdentity(file: file) {
                stored = identity
            } else {
                owner.logger.warning("the stored identity is damaged: this installation gets a new id")
            }
        }
        let found = stored
        state.withLock { state in
            state.isLoaded = true
            if state.identity.anonymousID == nil { state.identity.anonymousID = found.anonymousID }
            if !state.hasContext { state.identity.context = found.context }
        }
    }

    private func store() {
        owner.perform { storage in
            // What was not changed is to be written as it was.
            self.load(storage)
            self.write(storage)
        }
    }

    private func write(_ storage: DependableStorage) {
        storage.write(state.withLock { $0.identity }.file, as: Self.name)
    }

    private static let name = "identity"
}
