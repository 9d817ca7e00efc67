import Flagstaff

extension QuonfigContext {
    /// The context as it is sent: rules look at `user.key`, and rollouts follow it.
    ///
    /// The targeting key is the attribute `key` of the namespace `user`, else of the first by name that has one.
    ///
    /// - Parameter logger: Where it is said what cannot be sent.
    /// - Returns: The context.
    func flagContext(logger: any FlagLogger) -> FlagContext {
        var attributes: [String: FlagValue] = [:]
        for (namespace, values) in namespaces {
            var members: [String: FlagValue] = [:]
            for (name, value) in values {
                if case .double(let number) = value, !number.isFinite {
                    logger.warning(
                        "the attribute '\(namespace).\(name)' is not sent: its number is not finite")
                } else {
                    members[name] = value.flagValue
                }
            }
            attributes[namespace] = .object(members)
        }
        return FlagContext(key: targetingKey, attributes: attributes)
    }

    private var targetingKey: String? {
        let order = ["user"] + namespaces.keys.sorted()
        for namespace in order {
            switch namespaces[namespace]?["key"] {
            case .string(let key): return key
            case .int(let key): return String(key)
            default: break
            }
        }
        return nil
    }
}

extension ContextValue {
    fileprivate var flagValue: FlagValue {
        switch self {
        case .string(let value): .string(value)
        case .bool(let value): .bool(value)
        case .int(let value): .int(Int64(value))
        case .double(let value): .double(value)
        case .stringList(let texts): .array(texts.map(FlagValue.string))
        }
    }
}
