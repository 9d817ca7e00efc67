/// The arguments of a subcommand, sorted by what they are.
struct ParsedArguments: Sendable {
    /// The arguments known by their place, in order.
    var positionals: [String] = []
    /// Whether help was asked for.
    var asksForHelp = false
    /// The values of options by name; an option without a value has an empty one for each time it was given.
    var values: [String: [String]] = [:]

    /// Whether an option was given.
    func has(_ option: String) -> Bool {
        values[option] != nil
    }

    /// The value of an option, the last one if it was given more than once, or `nil`.
    func value(_ option: String) -> String? {
        values[option]?.last
    }

    /// All values of an option, in order.
    func values(_ option: String) -> [String] {
        values[option] ?? []
    }

    /// The value of an option as a whole number.
    ///
    /// - Parameters:
    ///   - option: The option's name.
    ///   - range: What is acceptable.
    /// - Returns: The number, or `nil` if the option was not given.
    /// - Throws: ``UsageError`` when the value is not such a number.
    func integer(_ option: String, in range: ClosedRange<Int64> = .min ... .max) throws(UsageError) -> Int64?
    {
        guard let text = value(option) else { return nil }
        guard let number = Int64(text) else {
            throw UsageError("--\(option) needs a whole number, not '\(text)'")
        }
        guard range.contains(number) else {
            throw UsageError(
                "--\(option) needs a number from \(range.lowerBound) to \(range.upperBound), not \(text)")
        }
        return number
    }
}
