/// Where the stable hash of a value comes from.
enum ValueIdentity: Sendable {
    /// From what is served, which computes it when somebody asks, and once.
    case served(ServedFlag)
    /// It is known.
    case known(String)

    /// The hash: 22 digits and letters; `nil` where no value is served.
    var id: String? {
        switch self {
        case .served(let served): served.valueID
        case .known(let id): id
        }
    }
}
