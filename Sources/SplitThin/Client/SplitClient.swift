/// Properties of an event: strings, numbers and Booleans by name.
public typealias EventProperties = [String: Any]

/// Treatments for one target, kept up to date.
///
/// All members can be used from any thread; evaluations come from memory and never wait.
public protocol SplitClient: AnyObject, Sendable {
    /// Whom flags are evaluated for.
    var target: Target { get }

    /// Evaluates a flag.
    ///
    /// - Parameter flag: The flag's name.
    /// - Returns: Its treatment, or the fallback.
    func getTreatment(flag: String) -> EvaluationResult

    /// Evaluates several flags.
    ///
    /// - Parameter flags: Their names.
    /// - Returns: A result for each name, in the same order.
    func getTreatments(flags: [String]) -> [EvaluationResult]

    /// Evaluates all flags of some sets.
    ///
    /// - Parameter flagSets: The sets' names.
    /// - Returns: A result for each flag that is here and in one of them, sorted by name.
    func getTreatmentsByFlagSets(flagSets: [String]) -> [EvaluationResult]

    /// Evaluates for another target from now on; until its values are here, fallbacks are given.
    ///
    /// An equal target changes nothing, and one that differs in its traffic type alone asks for nothing.
    ///
    /// - Parameter target: Whom flags are evaluated for.
    func setTarget(target: Target)

    /// Adds a listener, and tells it of what has happened: values from the cache, and readiness.
    ///
    /// - Parameter listener: The listener; twice is once.
    func addEventListener(_ listener: any SplitEventListener)

    /// Removes a listener: it hears of nothing any more.
    ///
    /// - Parameter listener: The listener.
    func removeEventListener(_ listener: any SplitEventListener)

    /// Reports that something happened.
    ///
    /// - Parameters:
    ///   - eventType: What: a letter or digit, and up to 79 letters, digits, hyphens, underscores, dots and colons.
    ///   - value: A finite number that belongs to it.
    ///   - properties: Strings, numbers and Booleans, at most 300 of 32 KiB together.
    /// - Returns: Whether the event waits to be sent.
    @discardableResult
    func track(eventType: String, value: Double?, properties: EventProperties?) -> Bool

    /// Sends what waits to be sent, and returns when that is done or has failed.
    func flush() async

    /// Sends what waits to be sent, and ends all work of this client for good.
    func destroy() async
}
