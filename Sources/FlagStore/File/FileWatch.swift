import Dispatch
import FlagEvaluation

/// The loop of the watching thread: waits for a notice or a second, looks, delivers.
final class FileWatch: Sendable {
    private let file: FlagFile
    private let options: EvaluationOptions
    private let wakeUp: WakeUp
    private let deliver: @Sendable (FlagSourceUpdate) -> Void

    init(
        file: FlagFile, options: EvaluationOptions, wakeUp: WakeUp,
        deliver: @escaping @Sendable (FlagSourceUpdate) -> Void
    ) {
        self.file = file
        self.options = options
        self.wakeUp = wakeUp
        self.deliver = deliver
    }

    /// Returns after ``WakeUp/stop()``.
    func run() {
        var reloading = FileReloading(path: file.path, options: options)
        var notices = FolderNotices(wakeUp: wakeUp)
        var patience = FileReloading.Patience.none
        /// When the file was first seen to be broken.
        var suspectedAt: DispatchTime?
        var stamp: FlagFile.Stamp?
        while true {
            // Armed before the look, so that a change after the look is noticed.
            notices.watch(foldersOf: file.path)
            let present = file.stamp
            if patience == .none || suspectedAt != nil || notices.hadNotice || present != stamp {
                stamp = present
                switch reloading.look(read(), patience) {
                case .nothing: suspectedAt = nil
                // A look that could have confirmed a fault found another one, whose time starts now.
                case .lookAgain: suspectedAt = patience == .lasts ? suspectedAt ?? .now() : .now()
                case .deliver(let update):
                    suspectedAt = nil
                    deliver(update)
                }
            }
            let delay = suspectedAt.map(Self.remainingMilliseconds) ?? 1_000
            if delay > 0, notices.wait(milliseconds: delay) == .stopped { return }
            patience = suspectedAt.map { Self.remainingMilliseconds(since: $0) > 0 ? .lasts : .over } ?? .over
        }
    }

    private static func remainingMilliseconds(since start: DispatchTime) -> Int {
        let passed = (DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1_000_000
        return max(0, FileReloading.confirmationDelay - Int(passed))
    }

    private func read() -> Result<[UInt8], FlagSourceFault> {
        do throws(FlagSourceFault) {
            return .success(try file.read())
        } catch {
            return .failure(error)
        }
    }
}
