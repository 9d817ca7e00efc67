import Dispatch
import Foundation

/// The wish to end the program: SIGINT (Control-C) or SIGTERM.
///
/// A second one ends it at once.
enum Termination {
    /// Returns at the first such signal.
    static func requested() async {
        let queue = DispatchQueue(label: "flagstaff.signals")
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        let sources = [SIGINT, SIGTERM].map { number in
            // The default action would end the program before the source is told.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                continuation.yield()
                continuation.finish()
                signal(number, SIG_DFL)
            }
            source.activate()
            return source
        }
        for await _ in signals { break }
        // The sources are kept up to here; from now on the default action applies to both.
        for (number, source) in zip([SIGINT, SIGTERM], sources) {
            source.cancel()
            signal(number, SIG_DFL)
        }
    }
}
