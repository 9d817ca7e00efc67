extension FlagSnapshot {
    /// What reads find: overrides over these values, and these over what the app was built with.
    ///
    /// - Parameters:
    ///   - bootstrap: Values for the flags that the service does not name.
    ///   - overrides: Values that win over all.
    ///   - former: What reads found before; the result has a greater version.
    /// - Returns: The values, each with its origin.
    func layered(
        over bootstrap: [String: FlagValue], under overrides: [String: FlagValue], after former: FlagSnapshot
    ) -> FlagSnapshot {
        if bootstrap.isEmpty, overrides.isEmpty, version > former.version { return self }
        var resolutions = self.resolutions
        var origins: [String: FlagOrigin] = [:]
        for (key, value) in bootstrap where resolutions[key] == nil {
            resolutions[key] = FlagResolution(key: key, value: value, reason: .default)
            origins[key] = .bootstrap
        }
        for (key, value) in overrides {
            resolutions[key] = FlagResolution(key: key, value: value, reason: .static)
            origins[key] = .override
        }
        return FlagSnapshot(
            contents: Contents(
                context: context, resolutions: resolutions, metadata: metadata, etag: etag,
                version: max(version, former.version + 1), updated: updated, isStale: isStale,
                origin: contents.origin, origins: origins, coercion: contents.coercion))
    }
}
