package import Dispatch
import FlagLocking
private import Foundation

/// All that one client stores: a storage, and the one queue on which it is used.
///
/// Nothing is read or made before it is first used, and that on the queue.
package final class ClientStorage: Sendable {
    /// Where every call to the storage happens.
    package let queue: DispatchQueue
    let storage: DependableStorage
    let logger: any FlagLogger
    let time: any TimeSource
    /// The folder of the client's files, where it is one of the usual ones.
    private let usualFolder: String?
    private let hasTidied = Lock(false)

    /// The storage that a configuration asks for.
    ///
    /// - Parameters:
    ///   - configuration: What the app asks for.
    ///   - service: The checked form of the same configuration.
    ///   - time: The clock.
    package convenience init(
        _ configuration: FlagClientConfiguration, service: ServiceAddress, time: any TimeSource
    ) {
        self.init(
            configuration, service: service, time: time, environment: ProcessInfo.processInfo.environment)
    }

    /// The storage that a configuration asks for, in an environment of its own.
    convenience init(
        _ configuration: FlagClientConfiguration, service: ServiceAddress, time: any TimeSource,
        environment: [String: String]
    ) {
        let namespace = StorageNamespace(service: service, storageName: configuration.storageName)
        let logger = configuration.logger
        if !configuration.cache.isOnDisk {
            self.init(MemoryFlagStorage(now: { time.now().wall }), logger: logger, time: time)
        } else if let storage = configuration.storage {
            self.init(storage, prefix: "\(namespace.name.prefix(16)).", logger: logger, time: time)
        } else {
            let path = StorageFolder.path(namespace.name, environment: environment)
            self.init(
                path.map { FileFlagStorage(folder: URL(fileURLWithPath: $0, isDirectory: true)) },
                usualFolder: path, logger: logger, time: time)
        }
    }

    /// What a client stores, over a storage.
    ///
    /// - Parameters:
    ///   - storage: The storage; `nil` where there is none to be had.
    ///   - prefix: What its names begin with, where the storage is shared.
    ///   - logger: Where faults are reported.
    ///   - time: The clock.
    package convenience init(
        _ storage: (any FlagStorage)?, prefix: String = "", logger: any FlagLogger, time: any TimeSource
    ) {
        self.init(storage, prefix: prefix, usualFolder: nil, logger: logger, time: time)
    }

    private init(
        _ storage: (any FlagStorage)?, prefix: String = "", usualFolder: String?, logger: any FlagLogger,
        time: any TimeSource
    ) {
        queue = DispatchQueue(label: "flagstaff.storage", qos: .utility)
        self.storage = DependableStorage(
            over: storage, prefix: prefix, logger: logger, now: { time.now().wall })
        self.usualFolder = usualFolder
        self.logger = logger
        self.time = time
    }

    /// Does something on the queue, later.
    ///
    /// - Parameters:
    ///   - isAwaited: Whether somebody waits for it, so that it must not stand back.
    ///   - body: What to do.
    func perform(isAwaited: Bool = false, _ body: @escaping @Sendable (DependableStorage) -> Void) {
        let storage = storage
        if isAwaited {
            queue.async(qos: .userInitiated, flags: .enforceQoS) { body(storage) }
        } else {
            queue.async { body(storage) }
        }
    }

    /// Does something on the queue and waits for it; never to be called from the queue itself.
    func wait<Result>(_ body: (DependableStorage) -> Result) -> Result {
        queue.sync { body(storage) }
    }

    /// Removes, once, the folders of other services and keys that no process has used for half a year.
    ///
    /// An app that changes its key would leave its former folders behind for ever. Call it on the queue, when the clock is
    /// likely to be right.
    func removeUnusedFolders() {
        let isFirst = hasTidied.withLock { hasTidied in
            defer { hasTidied = true }
            return !hasTidied
        }
        guard isFirst, let usualFolder else { return }
        let base = URL(fileURLWithPath: usualFolder).deletingLastPathComponent().path
        for name in (try? StoredFile.names(folder: base)) ?? [] where StorageNamespace.isName(name) {
            FolderHold.removeUnused("\(base)/\(name)", olderThan: 180 * 86400)
        }
    }
}
