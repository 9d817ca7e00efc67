package import FlagEvaluation
import FlagLocking
import Foundation

/// Delivers the rules of a flagd file and watches it: edits in place, atomic replacement, and symbolic links that
/// are made to point elsewhere, as Kubernetes does with its ConfigMaps.
///
/// The folders on the way are watched, and a look at the file each second catches what no notice tells (network
/// file systems, links further up). The file is read when something changed; the same content again is no change.
package final class FileFlagSource: FlagSource {
    private struct State {
        var isStarted = false
        var isStopped = false
    }

    package let name: String
    private let file: FlagFile
    private let options: EvaluationOptions
    private let state = Lock(State())
    private let wakeUp = WakeUp()
    private let ended = DispatchSemaphore(value: 0)

    /// Makes a source for a file; nothing is read yet.
    ///
    /// - Parameters:
    ///   - path: The file, absolute or relative to the working folder.
    ///   - options: How definitions are read.
    ///   - maximumBytes: A larger file is refused. Default 64 MiB.
    package init(path: String, options: EvaluationOptions = EvaluationOptions(), maximumBytes: Int = 64 << 20)
    {
        name = path
        file = FlagFile(path: path, maximumBytes: maximumBytes)
        self.options = options
    }

    deinit {
        // Not `stop()`: the last reference can go away on the watching thread, which cannot wait for itself.
        wakeUp.stop()
    }

    package func start(_ deliver: @escaping @Sendable (FlagSourceUpdate) -> Void) {
        let watch = FileWatch(file: file, options: options, wakeUp: wakeUp, deliver: deliver)
        let ended = ended
        let thread = Thread {
            watch.run()
            ended.signal()
        }
        thread.name = "flagstaff-file"
        // Definitions are read recursively, and some systems give a thread 512 KiB.
        thread.stackSize = 8 << 20
        let isFirst = state.withLock { state in
            if state.isStarted || state.isStopped { return false }
            state.isStarted = true
            return true
        }
        if isFirst { thread.start() }
    }

    package func stop() {
        let wasRunning = state.withLock { state in
            let wasRunning = state.isStarted && !state.isStopped
            state.isStopped = true
            return wasRunning
        }
        if wasRunning {
            wakeUp.stop()
            ended.wait()
        }
    }
}
