import FlagModel

/// Flags of every kind, each with what Abrova's interface calls the reason of its value.
enum Resolutions {
    static let all: [(resolution: FlagResolution, reason: String)] = [
        (flag("on", true, nil, .static), "ON"),
        (flag("on-named-so", true, "on", .targetingMatch), "ON"),
        (flag("on-split", true, "true", .split), "ON"),
        (flag("off", false, nil, .static), "OFF"),
        (flag("off-named-so", false, "off", .targetingMatch), "OFF"),
        (flag("arm", true, "treatment", .split), "VARIANT"),
        (flag("arm-false", false, "control", .split), "VARIANT"),
        (flag("text", "dark", nil, .static), "VARIANT"),
        (flag("text-arm", "dark", "night", .split), "VARIANT"),
        (flag("number", 0, "off", .targetingMatch), "VARIANT"),
        (flag("object", ["a": 1], "large", .static), "VARIANT"),
        (flag("default-true", true, "on", .default), "DEFAULT"),
        (flag("default-text", "dark", "night", .default), "DEFAULT"),
        (flag("default-of-the-code", nil, nil, .static), "DEFAULT"),
        (flag("disabled", nil, nil, .disabled), "OFF"),
        (flag("disabled-with-a-value", true, "on", .disabled), "OFF"),
        (
            FlagResolution(key: "broken", reason: .error, errorCode: .parseError, errorDetails: "no rule"),
            "ERROR"
        ),
        (
            FlagResolution(key: "keyless", reason: .error, errorCode: .targetingKeyMissing), "ERROR"
        ),
    ]

    private static func flag(
        _ key: String, _ value: FlagValue?, _ variant: String?, _ reason: FlagModel.FlagReason
    ) -> FlagResolution {
        FlagResolution(key: key, value: value, variant: variant, reason: reason, metadata: ["version": 7])
    }
}
