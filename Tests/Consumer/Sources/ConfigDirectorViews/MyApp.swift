// The samples of ConfigDirector's documentation for SwiftUI, as they stand there but for one line: `@Entry`, a macro of
// Xcode 16 that other tools do not have, is written as what it stands for.
#if canImport(SwiftUI)
    import ConfigDirector
    import SwiftUI

    @main
    struct MyApp: App {
        @State private var client = try? ConfigDirectorClient(clientSDKKey: "YOUR-CLIENT-SDK-KEY")

        var body: some Scene {
            WindowGroup {
                ContentView()
                    .environment(\.configDirectorClient, client)
                    .task {
                        await client?.initialize(context: ConfigDirectorContext(id: "user-123"))
                    }
            }
        }
    }

    private struct ConfigDirectorClientKey: EnvironmentKey {
        static let defaultValue: ConfigDirectorClient? = nil
    }

    extension EnvironmentValues {
        var configDirectorClient: ConfigDirectorClient? {
            get { self[ConfigDirectorClientKey.self] }
            set { self[ConfigDirectorClientKey.self] = newValue }
        }
    }

    struct DarkModeToggle: View {
        let client: ConfigDirectorClient

        @State private var isOn = false

        var body: some View {
            Toggle("Dark mode", isOn: $isOn)
                .task {
                    for await value in client.values(for: "dark-mode", default: false) {
                        isOn = value
                    }
                }
        }
    }

    struct ContentView: View {
        @Environment(\.configDirectorClient) private var client

        var body: some View {
            if let client { DarkModeToggle(client: client) }
        }
    }
#else
    @main
    struct MyApp {
        static func main() {}
    }
#endif
