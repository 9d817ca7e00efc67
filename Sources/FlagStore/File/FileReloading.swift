import FlagEvaluation

/// Decides what a look at the flag file means: new rules, a fault worth telling, or nothing.
///
/// A file that is being written, or replaced in two steps, looks broken for a moment. So a fault counts only when a
/// second look a little later still shows it, and it is told once, not at every look.
struct FileReloading {
    /// What follows from a look.
    enum Action {
        /// The same as before.
        case nothing
        /// Look again after ``FileReloading/confirmationDelay``.
        case lookAgain
        case deliver(FlagSourceUpdate)
    }

    /// How a fault is taken.
    enum Patience {
        /// It counts at once, as at the start.
        case none
        /// The time to look again has not come: something else drew the look here.
        case lasts
        /// It counts if it was seen before.
        case over
    }

    /// How long a file may look broken before that is told, in milliseconds.
    static let confirmationDelay = 60

    private let path: String
    private let options: EvaluationOptions
    private var accepted: (content: [UInt8], rules: Ruleset)?
    private var suspicion: FlagSourceFault?
    private var toldFault: FlagSourceFault?

    init(path: String, options: EvaluationOptions) {
        self.path = path
        self.options = options
    }

    /// Takes what reading the file gave; whether a fault that was seen before counts now is for the caller to say.
    mutating func look(_ result: Result<[UInt8], FlagSourceFault>, _ patience: Patience = .over) -> Action {
        switch parse(result) {
        case .success(let rules):
            let isNews = rules !== accepted?.rules || toldFault != nil
            if case .success(let content) = result { accepted = (content, rules) }
            suspicion = nil
            toldFault = nil
            // The former rules are delivered again after a fault: they tell that it is over.
            return isNews ? .deliver(.rules(rules)) : .nothing
        case .failure(let fault):
            if fault == toldFault { return .nothing }
            switch patience {
            case .over where fault == suspicion, .none: break
            case .over, .lasts:
                suspicion = fault
                return .lookAgain
            }
            suspicion = nil
            toldFault = fault
            return .deliver(.fault(fault))
        }
    }

    private func parse(_ result: Result<[UInt8], FlagSourceFault>) -> Result<Ruleset, FlagSourceFault> {
        switch result {
        case .failure(let fault):
            return .failure(fault)
        case .success(let bytes):
            if let accepted, bytes == accepted.content { return .success(accepted.rules) }
            if bytes.allSatisfy({ [0x20, 0x0A, 0x0D, 0x09].contains($0) }) {
                return .failure(FlagSourceFault("\(path) is empty; to serve no flags, write {\"flags\": {}}"))
            }
            do throws(DefinitionError) {
                return .success(try Ruleset(parsing: bytes, options: options))
            } catch {
                return .failure(FlagSourceFault("\(path): \(error)"))
            }
        }
    }
}
