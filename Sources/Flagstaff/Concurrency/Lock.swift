#if canImport(Darwin)
    private import Darwin
#elseif canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#elseif canImport(Android)
    private import Android
#endif

/// A lock and the one value it guards.
///
/// `Synchronization.Mutex` needs iOS 18; this works from iOS 15 on.
///
/// Not recursive. The body must not suspend, wait, do I/O or call code of others.
final class Lock<State: Sendable>: @unchecked Sendable {
    #if canImport(Darwin)
        private typealias Primitive = os_unfair_lock
    #else
        private typealias Primitive = pthread_mutex_t
    #endif

    // `@unchecked Sendable`: `state` is touched only between lock and unlock, and is itself fit to leave.
    // The primitive lives on the heap, because its address must not change and a stored property has none.
    private let primitive: UnsafeMutablePointer<Primitive>
    private var state: State

    init(_ state: State) {
        self.state = state
        primitive = .allocate(capacity: 1)
        #if canImport(Darwin)
            primitive.initialize(to: os_unfair_lock())
        #else
            primitive.initialize(to: pthread_mutex_t())
            let status = pthread_mutex_init(primitive, nil)
            precondition(status == 0, "no mutex can be made (\(status))")
        #endif
    }

    deinit {
        #if !canImport(Darwin)
            pthread_mutex_destroy(primitive)
        #endif
        primitive.deinitialize(count: 1)
        primitive.deallocate()
    }

    /// Runs the body while nobody else can see the state.
    func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        #if canImport(Darwin)
            os_unfair_lock_lock(primitive)
            defer { os_unfair_lock_unlock(primitive) }
        #else
            pthread_mutex_lock(primitive)
            defer { pthread_mutex_unlock(primitive) }
        #endif
        return try body(&state)
    }
}
