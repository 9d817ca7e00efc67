#if canImport(SwiftUI)
    public import SwiftUI

    /// A flag's value in a view, which is drawn again when this flag changes, and for no other flag.
    ///
    /// ```swift
    /// struct CheckoutView: View {
    ///     @Flag(.newCheckout) private var isNew
    ///     @Flag("max-items", default: 20) private var maxItems
    ///
    ///     var body: some View {
    ///         Text(isNew ? "New checkout, up to \(maxItems)" : "Checkout")
    ///     }
    /// }
    /// ```
    ///
    /// The client is the one that an ancestor was given with `flagClient(_:)`, unless the property
    /// names one. Without a client the value is the default. Each time that the view is drawn counts as one read.
    @propertyWrapper public struct Flag<Value: FlagConvertible>: DynamicProperty {
        @Environment(\.flagClient) private var environmentClient
        @StateObject private var state: FlagViewState<Value>
        private let key: FlagKey<Value>
        private let client: FlagClient?

        /// Reads a flag whose key was declared.
        ///
        /// - Parameters:
        ///   - key: The declared key.
        ///   - client: The client that serves the flag. Default `nil`: the one of the view's environment.
        public nonisolated init(_ key: FlagKey<Value>, on client: FlagClient? = nil) {
            _state = StateObject(wrappedValue: FlagViewState())
            self.key = key
            self.client = client
        }

        /// Reads a flag.
        ///
        /// - Parameters:
        ///   - key: The flag's key.
        ///   - defaultValue: What stands for the flag where it has no value of this type.
        ///   - client: The client that serves the flag. Default `nil`: the one of the view's environment.
        public nonisolated init(_ key: String, default defaultValue: Value, on client: FlagClient? = nil) {
            self.init(FlagKey(key, default: defaultValue), on: client)
        }

        /// The flag's value, the same throughout one drawing of the view.
        @MainActor public var wrappedValue: Value {
            state.observation.value ?? key.defaultValue
        }

        /// Reads the flag before the view is drawn; SwiftUI calls it.
        public func update() {
            // Views are drawn on the main actor, though the protocol does not say so; the copy is used there alone.
            nonisolated(unsafe) let copy = self
            MainActor.assumeIsolated {
                copy.state.follow(copy.key, on: copy.client ?? copy.environmentClient)
            }
        }
    }

    /// What stays of a view's flag between its drawings.
    @MainActor final class FlagViewState<Value: FlagConvertible>: ObservableObject {
        let observation = FlagObservation<Value>()

        nonisolated init() {}

        /// Reads the flag, and has the view drawn again when it changes.
        func follow(_ key: FlagKey<Value>, on client: FlagClient?) {
            if observation.willChange == nil {
                observation.willChange = { [weak self] in self?.objectWillChange.send() }
            }
            observation.follow(key, on: client)
        }
    }
#endif
