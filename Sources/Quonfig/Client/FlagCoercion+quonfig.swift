import Flagstaff

extension FlagCoercion {
    /// Nothing is parsed: a value is read as its own type, and numbers as each other where that is a number.
    static let quonfig = FlagCoercion { flag, value, target in
        switch (target, value) {
        case (.bool, .bool), (.string, .string), (.int, .int), (.double, .double): return value
        case (.double, .int(let number)): return .double(Double(number))
        case (.int, .double(let number)):
            if let whole = Int64(exactly: number) { return .int(whole) }
        default: break
        }
        throw FlagCoercion.Mismatch("'\(flag.key)' is no \(target)")
    }
}
