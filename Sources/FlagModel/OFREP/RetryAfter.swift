/// When a service allows the next request: the header `Retry-After` in the three forms that are met.
package enum RetryAfter: Hashable, Sendable {
    /// After so many seconds (RFC 9110 delta-seconds).
    case seconds(Int)
    /// At a time, in seconds since 1970: an HTTP date (RFC 9110) or a date of RFC 3339, as OFREP has it.
    case date(Int64)

    /// Reads a header's value; `nil` when it is none of the forms.
    package init?(_ text: String) {
        let text = text.trimmingSpaces
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            self = .seconds(Int(text) ?? .max)
        } else if let time = Self.httpDate(text) ?? Self.internetDate(text) {
            self = .date(time)
        } else {
            return nil
        }
    }

    /// How long to wait from a time on, in seconds: never negative, never longer than the cap.
    package func delay(now: Int64, cap: Int) -> Int {
        switch self {
        case .seconds(let seconds): return min(seconds, cap)
        case .date(let time):
            let (delay, overflow) = time.subtractingReportingOverflow(now)
            return overflow ? cap : Int(min(max(0, delay), Int64(cap)))
        }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
    private static func httpDate(_ text: String) -> Int64? {
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "-" || $0 == "," })
        switch parts.count {
        case 6 where parts[5] == "GMT":
            guard let day = number(parts[1]), var year = number(parts[3], digits: [2, 4]) else { return nil }
            if year < 100 { year += year < 70 ? 2000 : 1900 }
            return time(year, month(parts[2]), day, parts[4], offset: 0)
        case 5:
            guard let day = number(parts[2]), let year = number(parts[4], digits: [4]) else { return nil }
            return time(year, month(parts[1]), day, parts[3], offset: 0)
        default:
            return nil
        }
    }

    /// `2026-06-30T12:00:00Z`, with a fraction of a second or an offset such as `+02:00`.
    private static func internetDate(_ text: String) -> Int64? {
        guard text.utf8.count >= 20, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        var rest = Substring(text)
        let date = rest.take(10).split(separator: "-", omittingEmptySubsequences: false)
        let separator = rest.take(1)
        let clock = rest.take(8)
        guard date.count == 3, ["T", "t", " "].contains(separator),
            let year = number(date[0], digits: [4]), let month = number(date[1], digits: [2]),
            let day = number(date[2], digits: [2])
        else { return nil }
        if rest.first == "." {
            let fraction = rest.dropFirst().prefix(while: isDigit)
            if fraction.isEmpty { return nil }
            rest = rest.dropFirst(1 + fraction.count)
        }
        guard let offset = offset(rest) else { return nil }
        return time(year, month, day, clock, offset: offset)
    }

    /// The seconds that a zone (`Z`, `+02:00`) is ahead of UTC.
    private static func offset(_ zone: Substring) -> Int? {
        if zone == "Z" || zone == "z" { return 0 }
        let parts = zone.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard zone.hasPrefix("+") || zone.hasPrefix("-"), parts.count == 2,
            let hours = number(parts[0], digits: [2]), let minutes = number(parts[1], digits: [2]),
            hours < 24, minutes < 60
        else { return nil }
        return (hours * 3600 + minutes * 60) * (zone.hasPrefix("-") ? -1 : 1)
    }

    private static func month(_ name: Substring) -> Int {
        let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        return (names.firstIndex(of: name.lowercased()) ?? -1) + 1
    }

    private static func time(
        _ year: Int, _ month: Int, _ day: Int, _ clock: Substring, offset: Int
    ) -> Int64? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], digits: [2]),
            let minute = number(parts[1], digits: [2]), let second = number(parts[2], digits: [2]),
            (1970...9999).contains(year), (1...12).contains(month),
            (1...days(in: month, of: year)).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        // Days since 1970 in the proleptic Gregorian calendar, counting years from March.
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        return Int64(days) * 86400 + Int64(hour * 3600 + minute * 60 + second - offset)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// A number of so many digits and nothing else; `Int` alone would take a sign as well.
    private static func number(_ text: Substring, digits: Set<Int> = [1, 2]) -> Int? {
        digits.contains(text.count) && text.allSatisfy(isDigit) ? Int(text) : nil
    }

    private static func isDigit(_ character: Character) -> Bool {
        character.isASCII && character.isNumber
    }
}

extension Substring {
    /// Takes so many characters off the front.
    fileprivate mutating func take(_ count: Int) -> Substring {
        defer { self = dropFirst(count) }
        return prefix(count)
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        let rest = drop(while: isSpace)
        guard let last = rest.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(rest[...last])
    }
}
