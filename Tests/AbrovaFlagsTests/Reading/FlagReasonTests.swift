// As an app imports it: the native client has a type of the same name, which apps do not see.
import AbrovaFlags
import Testing

/// An app with a name of its own that the reasons have too.
extension String {
    fileprivate static let error = "the app's own"
}

@Suite struct FlagReasonTests {
    @Test func constantsAreTexts() {
        let constants: [FlagReason] = [
            .on, .variant, .off, .default, .notReady, .notFound, .typeMismatch, FlagReason.on,
        ]
        #expect(
            constants == [
                "ON", "VARIANT", "OFF", "DEFAULT", "NOT_READY", "NOT_FOUND", "TYPE_MISMATCH", "ON",
            ])
    }

    @Test func detailsAreComparedWithThem() {
        let detail = FlagDetail(value: 1, enabled: false, reason: "NOT_READY")
        #expect(detail.reason == .notReady && detail.reason == FlagReason.notReady)
        switch detail.reason {
        case .notReady: break
        case .on, .variant: Issue.record("another reason")
        default: Issue.record("another reason")
        }
    }

    @Test func namesOfTheAppsOwnComeFirst() {
        let text: String = .error
        #expect(text == "the app's own")
    }
}
