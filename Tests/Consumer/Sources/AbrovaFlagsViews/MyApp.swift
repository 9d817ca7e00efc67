// The sample of Abrova Flags' documentation for SwiftUI, as it stands there.
#if canImport(SwiftUI)
    import SwiftUI
    import AbrovaFlags

    final class FlagStore: ObservableObject {
        let flags: AbrovaFlags
        @Published private(set) var revision = 0

        init() {
            flags = AbrovaFlags(config: AbrovaFlagsConfig(apiKey: "ab_live_xxx", environment: "production"))
            flags.addListener { [weak self] event in
                switch event {
                case .ready, .updated:
                    self?.revision += 1  // redraw views that read flags
                case .error:
                    break
                }
            }
            flags.start()
        }
    }

    @main
    struct MyApp: App {
        @StateObject private var store = FlagStore()

        var body: some Scene {
            WindowGroup {
                CheckoutView().environmentObject(store)
            }
        }
    }

    struct CheckoutView: View {
        @EnvironmentObject var store: FlagStore

        var body: some View {
            if store.flags.isEnabled("new-checkout") {
                Text("New checkout")
            } else {
                Text("Checkout")
            }
        }
    }
#else
    @main
    struct MyApp {
        static func main() {}
    }
#endif
