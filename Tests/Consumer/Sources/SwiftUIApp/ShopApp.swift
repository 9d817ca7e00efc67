// The samples of the article "SwiftUI", as an app.
#if canImport(SwiftUI)
    import Flagstaff
    import SwiftUI

    extension FlagKey<Bool> {
        static var newCheckout: Self { Self("new-checkout", default: false) }
    }

    @main
    struct ShopApp: App {
        @State private var flags = try? FlagClient(
            .init(endpoint: URL(string: "https://flags.example.com")!, key: "client-key"))

        var body: some Scene {
            WindowGroup {
                CheckoutView()
                    .flagClient(flags)
                    .task { await flags?.start(context: FlagContext(key: "user-123")) }
            }
        }
    }

    struct CheckoutView: View {
        @Flag(.newCheckout) private var isNew
        @Flag("max-items", default: 20) private var maxItems

        var body: some View {
            if isNew {
                Text("New checkout, up to \(maxItems) items")
            } else {
                Text("Checkout")
            }
        }
    }

    struct CheckoutView_Previews: PreviewProvider {
        static var previews: some View {
            CheckoutView().flagClient(.inMemory(["new-checkout": true, "max-items": 3]))
            CheckoutView().flagClient(.inMemory(["new-checkout": false]))
        }
    }

    struct AccountView: View {
        @Environment(\.flagClient) private var flags

        var body: some View {
            Button("Sign out") {
                Task { await flags?.setContext(FlagContext(isAnonymous: true)) }
            }
        }
    }

    struct ThemeLabel: View {
        let flags: FlagClient
        @State private var theme = ""

        var body: some View {
            Text(theme)
                .task {
                    for await value in flags.values(for: "theme", default: "light") {
                        theme = value
                    }
                }
        }
    }

    @MainActor
    final class CartModel: ObservableObject {
        @Published private(set) var shipsFree = false
        private var tokens: [FlagToken] = []

        init(flags: FlagClient) {
            flags.onChange(of: "free-shipping", default: false) { [weak self] isOn in
                self?.shipsFree = isOn
            }.store(in: &tokens)
            shipsFree = flags.isEnabled("free-shipping")
        }
    }

    struct BannerView: View {
        @StateObject private var banner: FlagObserver<String>

        init(flags: FlagClient) {
            _banner = StateObject(wrappedValue: FlagObserver("banner", default: "", on: flags))
        }

        var body: some View {
            Text(banner.value)
        }
    }

    struct FlagList: View {
        @ObservedObject var flags: FlagClientObserver

        var body: some View {
            List(flags.snapshot.keys, id: \.self) { key in
                Text(key)
            }
        }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @Observable @MainActor
    final class SearchModel {
        private let limit: ObservableFlag<Int>
        var prompt: String { "Search, up to \(limit.value) results" }

        init(flags: FlagClient) {
            limit = ObservableFlag("search-limit", default: 10, on: flags)
        }
    }
#else
    @main enum ShopApp {
        static func main() {
            print("SwiftUI is there on Apple platforms only.")
        }
    }
#endif
