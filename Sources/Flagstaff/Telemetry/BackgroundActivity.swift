#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    import Foundation

    /// Asks the system not to suspend the app until the work is done; the system may say no, or take it back.
    ///
    /// It does not need `UIApplication`, so it is there for app extensions too.
    final class BackgroundActivity: Sendable {
        private let done = DispatchSemaphore(value: 0)

        /// Begins.
        init() {
            let done = done
            // The block keeps the app awake for as long as it runs, on a thread that the system keeps for that. The
            // bound stands for the case that the end is never told.
            ProcessInfo.processInfo.performExpiringActivity(withReason: "Flagstaff telemetry") { isExpired in
                if isExpired {
                    done.signal()
                } else {
                    _ = done.wait(timeout: .now() + 10)
                }
            }
        }

        /// Ends; calling it again does nothing.
        func end() {
            done.signal()
        }
    }
#else
    /// Where apps are not suspended there is nothing to ask for.
    final class BackgroundActivity: Sendable {
        init() {}

        /// Does nothing.
        func end() {}
    }
#endif
