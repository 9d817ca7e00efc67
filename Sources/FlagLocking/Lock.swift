#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A state that one thread at a time can see and change.
///
/// The standard library's `Mutex` needs iOS 18; this is its stand-in for the versions before, with state and lock in
/// one allocation. A class guards all it owns with one lock. It is not recursive, and nothing inside
/// ``withLock(_:)`` suspends, waits, does I/O or calls foreign code.
package struct Lock<State>: @unchecked Sendable {
    // Unchecked, because the compiler cannot see that the state is only touched while the primitive is held.
    #if canImport(Darwin)
        private typealias Primitive = os_unfair_lock
    #else
        private typealias Primitive = pthread_mutex_t
    #endif

    private final class Storage: ManagedBuffer<State, Primitive> {
        deinit {
            #if !canImport(Darwin)
                withUnsafeMutablePointerToElements { _ = pthread_mutex_destroy($0) }
            #endif
        }
    }

    private let storage: ManagedBuffer<State, Primitive>

    /// Guards a state.
    package init(_ state: sending State) {
        storage = Storage.create(minimumCapacity: 1) { buffer in
            buffer.withUnsafeMutablePointerToElements { primitive in
                #if canImport(Darwin)
                    primitive.initialize(to: os_unfair_lock())
                #else
                    let status = pthread_mutex_init(primitive, nil)
                    precondition(status == 0, "no mutex can be made (\(status))")
                #endif
            }
            return state
        }
    }

    /// Runs the closure while no other thread can see the state, and returns what it returns.
    package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try storage.withUnsafeMutablePointers { state, primitive in
            #if canImport(Darwin)
                os_unfair_lock_lock(primitive)
                defer { os_unfair_lock_unlock(primitive) }
            #else
                pthread_mutex_lock(primitive)
                defer { pthread_mutex_unlock(primitive) }
            #endif
            return try body(&state.pointee)
        }
    }
}
