private import Foundation

/// The app's name and version, as reports carry them.
public struct FlagAppInfo: Hashable, Sendable {
    /// The app's name; empty where it is not known.
    public var name: String
    /// The app's version; empty where it is not known.
    public var version: String

    /// Names an app.
    ///
    /// - Parameters:
    ///   - name: The app's name. Default: empty.
    ///   - version: The app's version. Default: empty.
    public init(name: String = "", version: String = "") {
        self.name = name
        self.version = version
    }

    /// The running app, from the Info.plist of its main bundle: `CFBundleDisplayName`, else `CFBundleName`, and
    /// `CFBundleShortVersionString`.
    ///
    /// Without an Info.plist, as on Linux, the name is that of the process.
    public static let main: FlagAppInfo = {
        let info = Bundle.main.infoDictionary ?? [:]
        // Texts only: a plist can hold anything.
        let texts = info.compactMapValues { $0 as? String }
        return FlagAppInfo(
            name: texts["CFBundleDisplayName"] ?? texts["CFBundleName"]
                ?? ProcessInfo.processInfo.processName,
            version: texts["CFBundleShortVersionString"] ?? "")
    }()
}
