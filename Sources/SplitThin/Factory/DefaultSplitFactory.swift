import FlagLocking
package import Flagstaff

/// A factory that makes a native client for each pair of keys.
final class DefaultSplitFactory: SplitFactory {
    private let registry = Registry()
    private let defaultKey: Key
    private let settings: ClientSettings
    private let makeFlags: @Sendable () throws -> FlagClient
    /// The default target's client: also when it is destroyed.
    private let defaultClient: DefaultSplitClient

    /// Makes a factory, and starts the default target's client.
    init(target: Target, settings: ClientSettings, makeFlags: @escaping @Sendable () throws -> FlagClient) {
        self.settings = settings
        self.makeFlags = makeFlags
        defaultKey = target.key
        defaultClient = DefaultSplitFactory.make(target, settings, makeFlags, registry)
        registry.insert(defaultClient, for: target.key)
    }

    private static func make(
        _ target: Target, _ settings: ClientSettings, _ makeFlags: () throws -> FlagClient,
        _ registry: Registry
    ) -> DefaultSplitClient {
        do {
            return DefaultSplitClient(try makeFlags(), target: target, settings: settings) {
                [weak registry] in
                registry?.remove($0)
            }
        } catch {
            // The builder has made one with the same configuration.
            preconditionFailure("a client cannot be made: \(error)")
        }
    }

    var client: any SplitClient { getClient() }

    func getClient() -> any SplitClient { registry.client(for: defaultKey) ?? defaultClient }

    func getClient(_ target: Target?) -> any SplitClient {
        guard let target else { return getClient() }
        let (client, isNew) = registry.client(for: target.key) {
            DefaultSplitFactory.make(target, settings, makeFlags, registry)
        }
        if !isNew { client.setTarget(target: target) }
        return client
    }

    func manager() -> any SplitManager { DefaultSplitManager(registry: registry) }

    func destroy() async {
        for client in registry.end() { await client.destroy() }
    }
}

/// The clients of a factory, by their keys.
final class Registry: Sendable {
    private struct State: Sendable {
        var clients: [Key: DefaultSplitClient] = [:]
        var isEnded = false
    }

    private let state = Lock(State())

    /// The names of all clients' flags.
    var flagNames: [String] {
        let clients = state.withLock { Array($0.clients.values) }
        return Set(clients.flatMap(\.flagNames)).sorted()
    }

    func client(for key: Key) -> DefaultSplitClient? { state.withLock { $0.clients[key] } }

    func insert(_ client: DefaultSplitClient, for key: Key) {
        state.withLock { $0.clients[key] = client }
    }

    /// The client of a key, made if there is none.
    func client(for key: Key, make: () -> DefaultSplitClient) -> (DefaultSplitClient, isNew: Bool) {
        if let client = client(for: key) { return (client, false) }
        // Outside the lock, as making one is work; of two that are made at once, one is let go of.
        let made = make()
        let (client, isEnded) = state.withLock { state in
            if state.isEnded { return (made, true) }
            if let client = state.clients[key] { return (client, false) }
            state.clients[key] = made
            return (made, false)
        }
        if isEnded { Task.detached { await made.destroy() } }
        return (client, client === made)
    }

    func remove(_ client: DefaultSplitClient) {
        let removed = state.withLock { state in
            let removed = state.clients.filter { $0.value === client }
            for key in removed.keys { state.clients[key] = nil }
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    /// Lets no client in any more, and gives those that there are.
    func end() -> [DefaultSplitClient] {
        state.withLock { state in
            state.isEnded = true
            defer { state.clients = [:] }
            return Array(state.clients.values)
        }
    }
}

/// Tells which flags a factory's clients have.
final class DefaultSplitManager: SplitManager {
    private let registry: Registry

    init(registry: Registry) {
        self.registry = registry
    }

    func getFlagNames() -> [String] { registry.flagNames }
}

/// Makes a client over a native one, for measurements.
///
/// - Parameters:
///   - flags: The native client, which nobody else may use.
///   - config: What was applied to it.
/// - Returns: The client.
package func makeClient(over flags: FlagClient, _ config: SplitClientConfig) -> any SplitClient {
    DefaultSplitClient(
        flags, target: Target(matchingKey: "user", trafficType: "user"),
        settings: ClientSettings(config, logger: SilentLogger())
    ) { _ in }
}
