import Flagstaff
import Foundation

/// Uses a folder until standard input ends, and says `held` once it does.
enum HoldMode {
    static func run(_ arguments: [String]) throws {
        guard let folder = arguments.first else {
            throw FlagStorageError(code: .unavailable, message: "the folder is missing")
        }
        let storage = ProbeStorage(folder: folder)
        guard storage.queue.append(id: "held", bytes: [1]) else { return }
        ClientProbe.say("held")
        _ = try FileHandle.standardInput.readToEnd()
        withExtendedLifetime(storage) {}
    }
}
