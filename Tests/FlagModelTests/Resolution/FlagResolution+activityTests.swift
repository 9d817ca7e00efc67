import Testing

@testable import FlagModel

@Suite struct FlagResolutionActivityTests {
    private func flag(
        _ value: FlagValue?, _ variant: String? = nil, _ reason: FlagReason = .static,
        error: FlagErrorCode? = nil
    ) -> FlagResolution {
        FlagResolution(key: "a", value: value, variant: variant, reason: reason, errorCode: error)
    }

    @Test(arguments: [FlagReason.static, .targetingMatch, .split, .cached, .unknown])
    func valueDecidesWhereTheFlagsOwnRulesDid(reason: FlagReason) {
        #expect(flag(true, nil, reason).isActive)
        #expect(flag(true, "on", reason).isActive)
        #expect(!flag(false, nil, reason).isActive)
        #expect(!flag(false, "OFF", reason).isActive)
        #expect(flag(false, "control", reason).isActive)
        #expect(flag("", nil, reason).isActive)
        #expect(flag(0, "off", reason).isActive)
        #expect(flag([:], "small", reason).isActive)
        #expect(!flag(nil, "control", reason).isActive)
    }

    @Test(arguments: [FlagReason.default, .disabled, .error])
    func nothingIsActiveForWantOfARule(reason: FlagReason) {
        #expect(!flag(true, "on", reason).isActive)
        #expect(!flag("text", "treatment", reason).isActive)
    }

    @Test func errorsAreNotActive() {
        #expect(!flag(true, "on", .static, error: .general).isActive)
    }

    @Test func plainBooleansHaveNoNameOfTheirOwn() {
        for variant in [nil, "on", "Off", "TRUE", "false"] { #expect(flag(true, variant).isPlainBoolean) }
        #expect(!flag(true, "treatment").isPlainBoolean)
        #expect(!flag("true", nil).isPlainBoolean)
        #expect(!flag(nil, nil).isPlainBoolean)
    }
}
