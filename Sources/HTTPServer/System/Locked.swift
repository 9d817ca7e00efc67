#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A value behind a mutex, in one allocation.
///
/// `Synchronization.Mutex` does the same, but needs a newer system than the package's oldest.
struct Locked<State>: @unchecked Sendable {
    // @unchecked: the value is reached through `withLock` only.
    private let storage: ManagedBuffer<State, pthread_mutex_t>

    private final class Storage: ManagedBuffer<State, pthread_mutex_t> {
        deinit {
            withUnsafeMutablePointerToElements { _ = pthread_mutex_destroy($0) }
        }
    }

    init(_ state: State) {
        storage = Storage.create(minimumCapacity: 1) { buffer in
            buffer.withUnsafeMutablePointerToElements { _ = pthread_mutex_init($0, nil) }
            return state
        }
    }

    /// Runs the body while no other thread is in a body of this lock.
    ///
    /// Must not be nested.
    func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        try storage.withUnsafeMutablePointers { state, mutex in
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&state.pointee)
        }
    }
}
