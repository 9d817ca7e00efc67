import Flagstaff

/// What a flag's value is in the words of this interface.
struct Treatment: Hashable, Sendable {
    /// What stands for flags that cannot be evaluated.
    static let control = "control"

    let name: String
    let config: String?

    /// What a value that was served is.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - variant: The variant's name.
    ///   - metadata: What is attached to the flag: `config` is a configuration.
    ///   - hasConfig: Whether configurations are wanted.
    init(_ value: FlagValue, variant: String?, metadata: [String: FlagValue], hasConfig: Bool) {
        if let variant, !variant.isEmpty {
            name = variant
        } else if case .bool(let isOn) = value {
            name = isOn ? "on" : "off"
        } else {
            name = value.plainText
        }
        guard hasConfig else {
            config = nil
            return
        }
        switch value {
        case .object, .array: config = value.plainText
        default:
            // A text is a document already.
            config = metadata["config"].map(\.plainText)
        }
    }
}
