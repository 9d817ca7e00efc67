public import Foundation

/// Whether values are kept from one run of the app to the next, and how many for how long.
public struct FlagCachePolicy: Hashable, Sendable {
    enum Form: Hashable, Sendable {
        case off
        case memory
        case disk
    }

    let form: Form
    /// How many contexts' values are kept at most.
    let contexts: Int
    /// How old values may get, in seconds.
    let age: TimeInterval

    /// Nothing is cached and nothing is written to disk: undelivered reports end with the process too.
    public static let off = FlagCachePolicy(form: .off, contexts: 0, age: 0)

    /// The values of the last 10 contexts are kept in memory; nothing is written to disk.
    ///
    /// A change back to a context has its values at once. Undelivered reports end with the process.
    public static let memory = FlagCachePolicy(form: .memory, contexts: 10, age: 30 * 86400)

    /// Values are kept on disk and served at the next start, before the service has answered.
    ///
    /// Together they take 4 MiB at most. Of what does not fit the contexts go that were not used for longest.
    ///
    /// - Parameters:
    ///   - contexts: How many contexts' values are kept. Default 10; from 1 to 1,000.
    ///   - age: How old values may get, in seconds since the service sent or confirmed them. Default 30 days; what is no
    ///     number or less than a second counts as that.
    /// - Returns: The policy.
    public static func disk(contexts: Int = 10, age: TimeInterval = 30 * 86400) -> FlagCachePolicy {
        FlagCachePolicy(
            form: .disk, contexts: min(max(contexts, 1), 1000), age: age >= 1 ? age : 30 * 86400)
    }

    /// Whether anything at all may be written to disk.
    var isOnDisk: Bool { form == .disk }
}

extension FlagCachePolicy: CustomStringConvertible {
    /// The policy in words.
    public var description: String {
        switch form {
        case .off: "off"
        case .memory: "memory"
        case .disk: "disk (\(contexts) contexts, \(Int(min(age / 86400, 1e6))) days)"
        }
    }
}
