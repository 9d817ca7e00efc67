#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A thread of its own, for work that blocks as long as the process lives: no pool should lend one for that.
// @unchecked: the handle is written once, before the object is shared.
final class SystemThread: @unchecked Sendable {
    #if canImport(Darwin)
        private var handle: pthread_t?
    #else
        private var handle = pthread_t()
    #endif

    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Starts a thread that runs the body once.
    ///
    /// - Throws: ``HTTPServerError`` when the system has no thread left.
    init(_ run: @escaping @Sendable () -> Void) throws {
        let body = Unmanaged.passRetained(Body(run))
        let status = pthread_create(
            &handle, nil,
            { argument in
                // Declared optional on one system, not on the other.
                let argument: UnsafeMutableRawPointer? = argument
                if let argument {
                    Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, body.toOpaque())
        guard status == 0 else {
            body.release()
            throw HTTPServerError(.system, "Cannot start a thread: \(String(cString: strerror(status))).")
        }
    }

    /// Waits for the body to end; to be called once.
    func join() {
        #if canImport(Darwin)
            if let handle {
                pthread_join(handle, nil)
            }
        #else
            pthread_join(handle, nil)
        #endif
    }
}
