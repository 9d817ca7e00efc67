import Dispatch
import Flagstaff
import Foundation

/// Stores batches and snapshots without an end, and says what is stored: `append 7` before it begins and `appended 7`
/// when it is done; `remove`, `removed`; `saved`.
enum StoreMode {
    static func run(_ arguments: [String]) throws {
        guard let folder = arguments.first, let start = arguments.dropFirst().first.flatMap({ Int($0) })
        else {
            throw FlagStorageError(code: .unavailable, message: "the folder or the first number is missing")
        }
        let storage = ProbeStorage(folder: folder)
        var number = start
        while true {
            number += 1
            ClientProbe.say("append \(number)")
            guard storage.queue.append(id: "batch-\(number)", bytes: ProbeContent.batch(number)) else {
                return
            }
            ClientProbe.say("appended \(number)")
            if number % 3 == 0 {
                storage.save(number)
                ClientProbe.say("saved \(number)")
            }
            if number % 2 == 0, let oldest = storage.queue.oldest() {
                let removed = oldest.id.dropFirst("batch-".count)
                ClientProbe.say("remove \(removed)")
                storage.queue.remove(id: oldest.id)
                ClientProbe.say("removed \(removed)")
            }
        }
    }
}
