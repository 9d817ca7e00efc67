import Dispatch

/// A callback of the app's that runs on the main thread alone.
///
/// Unchecked: the interface takes callbacks that are not `Sendable`, because they are made where the app's objects are,
/// on the main thread as a rule. One is handed from there to the main queue, and touched nowhere else.
struct MainThreadCallback<Message: Sendable>: @unchecked Sendable {
    private let body: (Message) -> Void

    init(_ body: @escaping (Message) -> Void) {
        self.body = body
    }

    /// Calls it later, on the main queue.
    func call(with message: Message) {
        DispatchQueue.main.async { self.body(message) }
    }

    /// Calls it; to be done on the main thread.
    func callOnMainThread(with message: Message) {
        body(message)
    }
}
