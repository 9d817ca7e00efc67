#if canImport(Observation)
    import Flagstaff
    import Observation
    import Testing

    @Suite(.timeLimit(.minutes(1))) @MainActor struct ObservableFlagTests {
        @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
        @Observable @MainActor final class CheckoutModel {
            private let newCheckout: ObservableFlag<Bool>
            var title: String { newCheckout.value ? "New checkout" : "Checkout" }

            init(flags: FlagClient) {
                newCheckout = ObservableFlag("new-checkout", default: false, on: flags)
            }
        }

        @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
        @Test func readersAreToldOfItsChanges() async {
            let flags = InMemoryFlags(["new-checkout": false])
            let model = CheckoutModel(flags: flags.client)
            let told = Recorder<Int>()
            let title = withObservationTracking {
                model.title
            } onChange: {
                told.record(1)
            }
            #expect(title == "Checkout")
            flags.setValue(1, for: "other")
            flags.setValue(true, for: "new-checkout")
            _ = await told[0]
            // It is told of before the change; the main actor makes the change before it does anything else.
            await Task { @MainActor in #expect(model.title == "New checkout") }.value
            #expect(told.elements == [1])
        }
    }
#endif
