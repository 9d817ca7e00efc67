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
        case .seconds(let seconds): min(seconds, cap)
        case .date(let time):
            Int(clamping: min(max(0, time.subtractingReportingOverflow(now).partialValue), Int64(cap)))
        }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
    private static func httpDate(_ text: String) -> Int64? {
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "-" || $0 == "," }).map(String.init)
        switch parts.count {
        case 6 where parts[5] == "GMT":
            guard let day = Int(parts[1]), var year = Int(parts[3]) else { return nil }
            if parts[3].count == 2 { year += year < 70 ? 2000 : 1900 }
            return time(year, month(parts[2]), day, parts[4], offset: 0)
        case 5:
            guard let day = Int(parts[2]), let year = Int(parts[4]) else { return nil }
            return time(year, month(parts[1]), day, parts[3], offset: 0)
        default:
            return nil
        }
    }

    /// `2026-06-30T12:00:00Z`, with a fraction of a second or an offset such as `+02:00`.
    private static func internetDate(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[4] == 0x2D, bytes[7] == 0x2D,
            bytes[10] | 0x20 == 0x74 || bytes[10] == 0x20
        else { return nil }
        let field = { (range: Range<Int>) in Int(String(decoding: bytes[range], as: UTF8.self)) }
        guard let year = field(0..<4), let month = field(5..<7), let day = field(8..<10) else { return nil }
        var rest = bytes[19...]
        if rest.first == 0x2E { rest = rest.dropFirst().drop { (0x30...0x39).contains($0) } }
        let zone = String(decoding: rest, as: UTF8.self)
        var offset = 0
        if zone.uppercased() != "Z" {
            let parts = zone.dropFirst().split(separator: ":").compactMap { Int($0) }
            guard zone.hasPrefix("+") || zone.hasPrefix("-"), parts.count == 2 else { return nil }
            offset = (parts[0] * 3600 + parts[1] * 60) * (zone.hasPrefix("-") ? -1 : 1)
        }
        return time(year, month, day, String(decoding: bytes[11..<19], as: UTF8.self), offset: offset)
    }

    private static func month(_ name: String) -> Int {
        let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        return (names.firstIndex(of: name.lowercased()) ?? -1) + 1
    }

    private static func time(_ year: Int, _ month: Int, _ day: Int, _ clock: String, offset: Int) -> Int64? {
        let parts = clock.split(separator: ":").compactMap { Int($0) }
        guard parts.count == 3, (1970...9999).contains(year), (1...12).contains(month),
            (1...31).contains(day),
            (0..<24).contains(parts[0]), (0..<60).contains(parts[1]), (0...60).contains(parts[2])
        else { return nil }
        // Days since 1970 in the proleptic Gregorian calendar, counting years from March.
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        return Int64(days) * 86400 + Int64(parts[0] * 3600 + parts[1] * 60 + parts[2] - offset)
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
