import FlagEvaluation
import Foundation

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
        var isFirst = true
        var hasSuspicion = false
        var stamp: FlagFile.Stamp?
        while true {
            // Armed before the look, so that a change after the look is noticed.
            notices.watch(foldersOf: file.path)
            let present = file.stamp
            if isFirst || hasSuspicion || notices.hadNotice || present != stamp {
                stamp = present
                hasSuspicion = false
                switch reloading.look(read(), isFinal: isFirst) {
                case .nothing: break
                case .lookAgain: hasSuspicion = true
                case .deliver(let update): deliver(update)
                }
                isFirst = false
            }
            let delay = hasSuspicion ? FileReloading.confirmationDelay : 1_000
            if notices.wait(milliseconds: delay) == .stopped { return }
        }
    }

    private func read() -> Result<[UInt8], FlagSourceFault> {
        do throws(FlagSourceFault) {
            return .success(try file.read())
        } catch {
            return .failure(error)
        }
    }
}
