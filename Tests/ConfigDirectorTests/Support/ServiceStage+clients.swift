import ConfigDirector
import ServiceStage

extension ServiceStage {
    /// A client as an app makes it, which reaches the service through the proxy.
    func client(
        key: String = ServiceStage.key, mode: ConnectionMode = .streaming, timeout: Double = 10,
        logger: any ConfigDirectorLogger = ConsoleLogger(level: .off),
        metadata: ConfigDirectorMetaContext? = nil
    ) throws -> ConfigDirectorClient {
        try ConfigDirectorClient(
            clientSDKKey: key,
            options: ConfigDirectorClientOptions(
                metadata: metadata,
                connection: ConnectionOptions(mode: mode, timeout: timeout, baseURL: url), logger: logger))
    }
}

extension ConfigDirectorClient {
    /// Waits until a whole-number config has that value.
    func wait(for value: Int, of key: String) async {
        for await present in values(for: key, default: -1) where present == value { return }
    }
}

extension ClientEvent {
    /// The event as text that can be compared.
    var story: String {
        switch self {
        case .ready(let reason): "ready: \(reason)"
        case .configsUpdated(let update):
            "updated: \(update.keys.joined(separator: ","))"
                + (update.removedKeys.isEmpty ? "" : " removed: \(update.removedKeys.joined(separator: ","))")
        case .contextUpdated(let context): "context: \(context.map { $0.id ?? "anonymous" } ?? "nil")"
        }
    }
}

/// Reads the next elements of a sequence.
func first<Element: Sendable>(_ count: Int, of stream: AsyncStream<Element>) async -> [Element] {
    var elements: [Element] = []
    for await element in stream {
        elements.append(element)
        if elements.count == count { break }
    }
    return elements
}

/// Reads all that is left of a sequence that ends.
func rest<Element: Sendable>(of stream: AsyncStream<Element>) async -> [Element] {
    var elements: [Element] = []
    for await element in stream { elements.append(element) }
    return elements
}
