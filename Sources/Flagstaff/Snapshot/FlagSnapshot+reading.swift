extension FlagSnapshot {
    /// The flag with that key, byte by byte: a key that only looks the same, written with other Unicode scalars, is
    /// another key.
    func resolution(of key: String) -> FlagResolution? {
        guard let resolution = contents.resolutions[key], resolution.key.utf8.elementsEqual(key.utf8) else {
            return nil
        }
        return resolution
    }

    /// Where the flag's value comes from.
    func origin(of key: String) -> FlagOrigin {
        contents.origins[key] ?? contents.origin
    }

    /// The flag's own value as that type, or `nil` when the default applies.
    func servedValue<Value: FlagConvertible>(for key: String) -> Value? {
        guard let resolution = resolution(of: key), resolution.errorCode == nil,
            let value = resolution.value
        else { return nil }
        if contents.coercion != nil, ReadKind(Value.self).target != nil {
            return served(key).converted(to: Value.self)
        }
        return Value(flagValue: value)
    }

    /// What reads of a flag give.
    func served(_ key: String) -> ServedFlag {
        ServedFlag(
            key: key, resolution: resolution(of: key), scope: contents.scope, origin: origin(of: key),
            coercion: contents.coercion)
    }
}
