public import Foundation

/// Whether a client asks for values when the app comes back from the background.
///
/// A stream that stayed open makes asking needless; values that are missing are always asked for. With
/// ``FlagSyncMode/once`` and ``FlagSyncMode/manual`` nothing else is.
public struct FlagForegroundRefresh: Hashable, Sendable {
    /// The least age of values, in seconds, at which they are asked for again.
    private let leastAge: TimeInterval

    /// Each time.
    public static let always = FlagForegroundRefresh(leastAge: 0)
    /// Never.
    public static let never = FlagForegroundRefresh(leastAge: .infinity)

    /// When the values are older.
    ///
    /// - Parameter age: How long ago the service last sent or confirmed them, in seconds. The device's sleep counts,
    ///   the setting of its clock does not. Not more than 0, and what is no number, counts as ``always``.
    /// - Returns: The policy.
    public static func ifOlder(than age: TimeInterval) -> FlagForegroundRefresh {
        FlagForegroundRefresh(leastAge: age > 0 ? age : 0)
    }

    /// Whether values of that age are to be asked for.
    func isDue(age: TimeInterval) -> Bool {
        leastAge < .infinity && age >= leastAge
    }
}
