import Flagstaff

extension ConfigDirectorContext {
    /// The context as it is sent.
    ///
    /// - Parameters:
    ///   - app: The app, of which empty names are left out.
    ///   - clientID: What stands for the user where the context names none.
    /// - Returns: A context with the traits, and `name`, `appName` and `appVersion`, which win over traits of that name.
    func flagContext(app: FlagAppInfo, clientID: String) -> FlagContext {
        var attributes = (traits ?? [:]).mapValues(\.flagValue)
        if let name { attributes["name"] = .string(name) }
        if !app.name.isEmpty { attributes["appName"] = .string(app.name) }
        if !app.version.isEmpty { attributes["appVersion"] = .string(app.version) }
        return FlagContext(key: id ?? clientID, isAnonymous: isAnonymous ?? false, attributes: attributes)
    }
}

extension ConfigDirectorContext.TraitValue {
    /// The value as attributes hold it.
    fileprivate var flagValue: FlagValue {
        switch self {
        case .string(let value): .string(value)
        case .int(let value): .int(Int64(value))
        case .double(let value): .double(value)
        case .bool(let value): .bool(value)
        case .array(let elements): .array(elements.map(\.flagValue))
        case .dictionary(let members): .object(members.mapValues(\.flagValue))
        case .null: .null
        }
    }
}
