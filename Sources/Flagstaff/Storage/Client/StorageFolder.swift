private import Foundation

/// Where on this device a client's files belong.
///
/// The place is worked out anew at each start: the folder that an app may write in can move when the app is updated.
struct StorageFolder {
    /// Part of the path, so that a later form of the files can never be mistaken for this one.
    static let version = "1"

    /// The folder that all of our folders are in; `nil` where the system names none.
    ///
    /// - Apple platforms: `Library/Application Support/Flagstaff/1`, on tvOS `Library/Caches/Flagstaff/1`, as apps may
    ///   not write elsewhere there.
    /// - Elsewhere: `$XDG_STATE_HOME/flagstaff/1`, else `$HOME/.local/state/flagstaff/1`.
    ///
    /// - Parameter environment: The environment variables.
    /// - Returns: Its path.
    static func base(environment: [String: String]) -> String? {
        #if canImport(Darwin)
            #if os(tvOS)
                let directory = FileManager.SearchPathDirectory.cachesDirectory
            #else
                let directory = FileManager.SearchPathDirectory.applicationSupportDirectory
            #endif
            let url = FileManager.default.urls(for: directory, in: .userDomainMask).first
            return url.map { "\($0.path)/Flagstaff/\(version)" }
        #else
            // The specification of these folders says to pass over what is no absolute path.
            if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
                return "\(state)/flagstaff/\(version)"
            }
            guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
            return "\(home)/.local/state/flagstaff/\(version)"
        #endif
    }

    /// The folder of this name below ``base(environment:)``, which exists only once something is stored.
    ///
    /// - Parameters:
    ///   - name: A digest: nothing that could not be in a file's name.
    ///   - environment: The environment variables.
    /// - Returns: Its path, or `nil` where the system names no folder.
    static func path(_ name: String, environment: [String: String]) -> String? {
        base(environment: environment).map { "\($0)/\(name)" }
    }
}
