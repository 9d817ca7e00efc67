#if canImport(Observation)
    public import Observation

    /// One flag for the Observation framework: whatever reads ``value`` while it is tracked follows the flag.
    ///
    /// ```swift
    /// @Observable @MainActor final class CheckoutModel {
    ///     private let newCheckout: ObservableFlag<Bool>
    ///     var title: String { newCheckout.value ? "New checkout" : "Checkout" }
    /// }
    /// ```
    ///
    /// Creating it counts as one read, and so does each change. It keeps the client alive.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @MainActor public final class ObservableFlag<Value: FlagConvertible>: Observable {
        private let registrar = ObservationRegistrar()
        private let observation = FlagObservation<Value>()
        private var current: Value

        /// The flag's value: the current one at first, then each other one that it takes.
        public var value: Value {
            registrar.access(self, keyPath: \.value)
            return current
        }

        /// Observes a flag whose key was declared.
        ///
        /// - Parameters:
        ///   - key: The declared key.
        ///   - client: The client that serves the flag.
        public init(_ key: FlagKey<Value>, on client: FlagClient) {
            current = observation.follow(key, on: client)
            observation.didChange = { [weak self] _ in
                guard let self else { return }
                registrar.withMutation(of: self, keyPath: \.value) {
                    current = observation.follow(key, on: client)
                }
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
#endif
