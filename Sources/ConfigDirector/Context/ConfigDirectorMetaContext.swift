/// The app's name and version, which targeting rules can look at as `appName` and `appVersion`.
public struct ConfigDirectorMetaContext: Sendable, Equatable {
    /// The app's name; `nil` for the bundle's display name, else its name.
    public var appName: String?
    /// The app's version; `nil` for the bundle's short version string.
    public var appVersion: String?

    /// Names an app.
    ///
    /// - Parameters:
    ///   - appName: The app's name.
    ///   - appVersion: The app's version.
    public init(appName: String? = nil, appVersion: String? = nil) {
        self.appName = appName
        self.appVersion = appVersion
    }
}
