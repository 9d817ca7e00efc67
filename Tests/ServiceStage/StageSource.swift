import FlagEvaluation
import FlagLocking
import FlagModel
import FlagStore

/// A source that delivers what a test hands it, on the test's own thread.
final class StageSource: FlagSource {
    let name = "stage"
    private let deliver = Lock<(@Sendable (FlagSourceUpdate) -> Void)?>(nil)

    func start(_ deliver: @escaping @Sendable (FlagSourceUpdate) -> Void) {
        self.deliver.withLock { $0 = deliver }
    }

    func stop() {
        deliver.withLock { $0 = nil }
    }

    func publish(_ flags: [String: FlagValue]) throws {
        let update = FlagSourceUpdate.rules(try Ruleset(definition: ["flags": .object(flags)]))
        let deliver = deliver.withLock { $0 }
        deliver?(update)
    }
}
