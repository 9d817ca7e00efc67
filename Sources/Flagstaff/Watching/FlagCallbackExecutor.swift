public import Dispatch

/// Where a callback runs.
///
/// Wherever that is, the calls of one callback come one after the other and in order, and never inside a lock of the
/// client: a callback may call anything. Which of two callbacks hears of something first is not stated.
public struct FlagCallbackExecutor: Sendable {
    /// Runs a closure later; `nil` where it runs at once.
    let enqueue: (@Sendable (@escaping @Sendable () -> Void) -> Void)?

    /// Makes an executor.
    ///
    /// - Parameter enqueue: Takes a closure and runs it once, later, on any thread. It is called with one closure at a
    ///   time: the next one comes when the one before has run.
    public init(_ enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.enqueue = enqueue
    }

    private init() {
        enqueue = nil
    }

    /// The main queue, and with it the main thread.
    ///
    /// Callbacks without an executor run there too, and the compiler knows that they do.
    public static let main = queue(.main)

    /// A queue of the app's.
    ///
    /// - Parameter queue: The queue, serial or concurrent.
    /// - Returns: An executor that runs callbacks on it.
    public static func queue(_ queue: DispatchQueue) -> FlagCallbackExecutor {
        FlagCallbackExecutor { work in queue.async(execute: work) }
    }

    /// Whichever thread brings the news, at once.
    ///
    /// For callbacks that take no time, such as one that sets a variable: requests, timers and time-outs of the client
    /// wait for them. With
    /// two threads at work one of them can run what the other one caused, and return last.
    public static let immediate = FlagCallbackExecutor()
}
