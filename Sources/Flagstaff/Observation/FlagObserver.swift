#if canImport(Combine)
    public import Combine

    /// One flag as an observable object: for view models, and for pipelines over `$value`.
    ///
    /// ```swift
    /// @MainActor final class CheckoutModel: ObservableObject {
    ///     let isNew: FlagObserver<Bool>
    ///
    ///     init(flags: FlagClient) {
    ///         isNew = FlagObserver(.newCheckout, on: flags)
    ///     }
    /// }
    /// ```
    ///
    /// Creating it counts as one read, and so does each change. It keeps the client alive.
    @MainActor public final class FlagObserver<Value: FlagConvertible>: ObservableObject {
        /// The flag's value: the current one at first, then each other one that it takes.
        @Published public private(set) var value: Value
        private let observation = FlagObservation<Value>()

        /// Observes a flag whose key was declared.
        ///
        /// - Parameters:
        ///   - key: The declared key.
        ///   - client: The client that serves the flag.
        public init(_ key: FlagKey<Value>, on client: FlagClient) {
            value = observation.follow(key, on: client)
            observation.didChange = { [weak self] _ in
                guard let self else { return }
                value = observation.follow(key, on: client)
            }
        }

        /// Observes a flag.
        ///
        /// - Parameters:
        ///   - key: The flag's key.
        ///   - defaultValue: What stands for the flag where it has no value of this type.
        ///   - client: The client that serves the flag.
        public convenience init(_ key: String, default defaultValue: Value, on client: FlagClient) {
            self.init(FlagKey(key, default: defaultValue), on: client)
        }
    }

    /// All flags of a client as an observable object: for screens that read many, or whose keys come from elsewhere.
    ///
    /// A view that observes it is drawn again with each change of any flag; where one flag is meant,
    /// ``FlagObserver`` spares that. Read from ``client``, or from ``snapshot`` what must fit together. It keeps the
    /// client alive.
    @MainActor public final class FlagClientObserver: ObservableObject {
        /// The values as of the last change.
        ///
        /// Reads from it are not counted.
        @Published public private(set) var snapshot: FlagSnapshot
        /// The client that is observed.
        public nonisolated let client: FlagClient
        private var token: FlagToken?

        /// Observes a client.
        ///
        /// - Parameter client: The client.
        public init(_ client: FlagClient) {
            self.client = client
            snapshot = client.snapshot
            token = client.onChange { [weak self] change in self?.snapshot = change.snapshot }
            // What changed between the two lines before.
            snapshot = client.snapshot
        }
    }
#endif
