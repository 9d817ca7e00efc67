#if canImport(SwiftUI)
    public import SwiftUI

    extension View {
        /// Gives the views below the client that their ``Flag`` properties read from.
        ///
        /// - Parameter client: The client; `nil` takes it away, and then flags have their defaults.
        /// - Returns: The view with the client in its environment.
        public func flagClient(_ client: FlagClient?) -> some View {
            environment(\.flagClient, client)
        }
    }

    extension EnvironmentValues {
        /// The client that ``Flag`` properties read from.
        ///
        /// Default `nil`: flags have their defaults.
        public var flagClient: FlagClient? {
            get { self[FlagClientKey.self] }
            set { self[FlagClientKey.self] = newValue }
        }
    }

    private struct FlagClientKey: EnvironmentKey {
        static let defaultValue: FlagClient? = nil
    }
#endif
