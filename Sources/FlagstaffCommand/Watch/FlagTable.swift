import FlagModel

/// Lays evaluated flags out as a table for a terminal: pure, from resolutions to lines.
struct FlagTable {
    /// How many columns of characters there are.
    var width: Int
    /// Whether to mark rows with terminal colors.
    var usesColor: Bool

    private static let titles = ["FLAG", "VALUE", "VARIANT", "REASON"]
    private static let gap = 2

    /// The lines of the table, title first; rows in the given order, those in `changed` marked.
    func lines(_ flags: [FlagResolution], changed: Set<String> = []) -> [String] {
        let rows = flags.map(cells)
        let widths = columnWidths(rows)
        var lines = [styled(line(Self.titles, widths), "2")]
        for (flag, row) in zip(flags, rows) {
            let isChanged = changed.contains(flag.key)
            let text = (isChanged && !usesColor ? "* " : "") + line(row, widths)
            lines.append(isChanged ? styled(text, "1;32") : text)
        }
        return lines
    }

    private func cells(_ flag: FlagResolution) -> [String] {
        let value = flag.value.map(\.jsonText) ?? (flag.errorCode == nil ? "(code default)" : "(error)")
        let reason = flag.errorCode.map { "\(flag.reason): \($0)" } ?? "\(flag.reason)"
        return [flag.key, value, flag.variant ?? "", reason].map(Self.printable)
    }

    /// The widest cell of each column, cut so that the table fits: first the values, then the keys.
    private func columnWidths(_ rows: [[String]]) -> [Int] {
        var widths = Self.titles.indices.map { column in
            ([Self.titles[column]] + rows.map { $0[column] }).map(\.count).max() ?? 0
        }
        for (column, least) in [(1, 12), (0, 16), (2, 8)] {
            let excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - width
            if excess > 0 { widths[column] = max(min(least, widths[column]), widths[column] - excess) }
        }
        return widths
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        for (index, (cell, width)) in zip(cells, widths).enumerated() {
            let text = cell.count > width ? cell.prefix(max(0, width - 1)) + "…" : cell
            line += text
            if index < cells.count - 1 {
                line += String(repeating: " ", count: max(0, width - text.count) + Self.gap)
            }
        }
        return line
    }

    private func styled(_ text: String, _ style: String) -> String {
        usesColor ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text
    }

    /// A text without control characters, which could rewrite the reader's screen.
    static func printable(_ text: String) -> String {
        let isControl = { (scalar: Unicode.Scalar) in
            scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        }
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
    }
}
