import Dispatch
import Foundation

/// The wish to end the program: SIGINT (Control-C) or SIGTERM.
///
/// From its making on, the first such signal is taken for a wish; a second one ends the program at once.
struct Termination: Sendable {
    private let signals: AsyncStream<Void>

    /// Takes over the two signals.
    init() {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        self.signals = signals
        let queue = DispatchQueue(label: "flagstaff.signals")
        let sources = [SIGINT, SIGTERM].map { number in
            // The default action would end the program before the source is told.
            signal(number, SIG_IGN)
            return (number, DispatchSource.makeSignalSource(signal: number, queue: queue))
        }
        for (_, source) in sources {
            // The handlers keep the sources until one is called; then the default actions apply again.
            source.setEventHandler {
                for (number, source) in sources {
                    source.cancel()
                    signal(number, SIG_DFL)
                }
                continuation.finish()
            }
            source.activate()
        }
    }

    /// Returns at the first signal, or when the task is cancelled.
    func requested() async {
        for await _ in signals {}
    }
}
