import ConfigDirectorTesting
import Testing

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

extension ConfigEvaluation {
    /// The evaluation as text that can be compared.
    var story: String { "\(key)=\(value) \(reason.rawValue)" }
}

/// Reads the next elements of a sequence.
func next<Element: Sendable>(_ count: Int, of iterator: inout AsyncStream<Element>.Iterator) async
    -> [Element]
{
    var elements: [Element] = []
    while elements.count < count, let element = await iterator.next() { elements.append(element) }
    return elements
}

/// Reads all that is left of a sequence that ends.
func rest<Element: Sendable>(of stream: AsyncStream<Element>) async -> [Element] {
    var elements: [Element] = []
    for await element in stream { elements.append(element) }
    return elements
}

/// Starts an `initialize` that will be held, and returns when it is on its way.
func beginInitialization(
    of client: ConfigDirectorClient, context: ConfigDirectorContext? = nil
) async -> Task<Void, Never> {
    let call = Task { await client.initialize(context: context) }
    while !client.isInitializing { await Task.yield() }
    return call
}

/// Starts an `updateContext` that will be held, and returns when it is on its way.
func beginUpdate(
    of testClient: TestClient, to context: ConfigDirectorContext
) async -> Task<Void, Never> {
    let count = testClient.contextUpdates.count
    let call = Task { await testClient.client.updateContext(context) }
    while testClient.contextUpdates.count == count || testClient.client.isReady { await Task.yield() }
    return call
}
