import Flagstaff
import Testing

/// The samples of the article "SwiftUI" that need no SwiftUI; the others are in `Tests/Consumer`.
@Suite(.timeLimit(.minutes(1))) @MainActor struct SwiftUITests {
    private final class CheckoutModel {
        let flags: FlagClient
        var isNew: Bool { flags.isEnabled("new-checkout") }

        init(flags: FlagClient) {
            self.flags = flags
        }
    }

    @Test func valuesInMemoryCanBeChanged() {
        let flags = InMemoryFlags(["new-checkout": false])
        let checkout = CheckoutModel(flags: flags.client)
        flags.setValue(true, for: "new-checkout")
        #expect(checkout.isNew)
    }
}
