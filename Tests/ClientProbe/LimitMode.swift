import Flagstaff
import Foundation

/// Stores on a disk that takes 1,000 bytes a file and no more: writes end in the middle, with an error of the system.
///
/// It says what it finds afterwards: `oldest`, `batches`, `value`.
enum LimitMode {
    static func run(_ arguments: [String]) throws {
        guard let folder = arguments.first else {
            throw FlagStorageError(code: .unavailable, message: "the folder is missing")
        }
        // Else the system ends a process that writes past the limit.
        signal(SIGXFSZ, SIG_IGN)
        let storage = ProbeStorage(folder: folder)
        storage.save(1)
        guard storage.queue.append(id: "small", bytes: [1, 2, 3]) else { return }

        var limit = rlimit()
        #if canImport(Glibc)
            let kind = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
            let kind = RLIMIT_FSIZE
        #endif
        guard getrlimit(kind, &limit) == 0 else { return }
        limit.rlim_cur = 1_000
        guard setrlimit(kind, &limit) == 0 else { return }

        storage.save(2)
        for number in 1...3 {
            guard storage.queue.append(id: "large-\(number)", bytes: [UInt8](repeating: 7, count: 30_000))
            else {
                return
            }
        }
        storage.queue.remove(id: "small")
        let batches = storage.queue.batches()
        ClientProbe.say("batches \(batches.map { "\($0.id):\($0.bytes.count)" }.joined(separator: " "))")
        ClientProbe.say("value \(storage.load()?.value(for: "flag-0", default: 0) ?? -1)")
    }
}
