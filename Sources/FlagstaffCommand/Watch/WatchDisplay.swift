import FlagModel

/// What `flagstaff watch` shows, from the flags to the text to print: pure, and made only of differences, so that
/// changes which came in one go are all shown.
struct WatchDisplay {
    /// A way to show flags.
    enum Style {
        /// A table that is drawn again in place: for a terminal.
        case screen(FlagTable, heading: [String])
        /// A table at first, then a line for each change.
        case lines(FlagTable)
        /// A JSON object per line.
        case json
    }

    private let style: Style
    private var shown: [String: FlagResolution]?
    private var drawnLines = 0

    init(style: Style) {
        self.style = style
    }

    /// The text that tells the flags, as far as they were not shown before; empty when nothing changed.
    ///
    /// - Parameters:
    ///   - flags: All flags by key.
    ///   - status: What there is to say of the connection, for the screen.
    /// - Returns: Whole lines.
    mutating func update(_ flags: [String: FlagResolution], status: String) -> String {
        let former = shown
        shown = flags
        let sorted = flags.values.sorted { $0.key < $1.key }
        let changed = former.map { former in sorted.filter { former[$0.key] != $0 } } ?? sorted
        let removed = (former ?? [:]).keys.filter { flags[$0] == nil }.sorted()
        switch style {
        case .screen(let table, let heading):
            let marked = former == nil ? [] : Set(changed.map(\.key))
            return draw(heading + table.lines(sorted, changed: marked) + ["", status])
        case .lines(let table):
            if former == nil { return text(table.lines(sorted)) }
            return text(
                changed.map { Self.line(from: former?[$0.key], to: $0) } + removed.map { "\($0): removed" })
        case .json:
            let kind: FlagValue = former == nil ? "value" : "change"
            return text(
                changed.map { Self.object(kind, $0.ofrep) }
                    + removed.map { Self.object("removed", ["key": .string($0)]) })
        }
    }

    /// The text that tells a change of the connection; empty where the screen shows it with the flags.
    func status(_ status: String) -> String {
        switch style {
        case .screen: ""
        case .lines: text([status])
        case .json: text([Self.object("status", ["status": .string(status)])])
        }
    }

    /// Draws over what was drawn before.
    private mutating func draw(_ lines: [String]) -> String {
        let up = drawnLines == 0 ? "" : "\u{1B}[\(drawnLines)A\u{1B}[J"
        drawnLines = lines.count
        return up + text(lines)
    }

    private func text(_ lines: [String]) -> String {
        lines.map { $0 + "\n" }.joined()
    }

    private static func line(from former: FlagResolution?, to present: FlagResolution) -> String {
        let value = { (flag: FlagResolution?) in
            guard let flag else { return "(none)" }
            return flag.value.map(\.jsonText) ?? flag.errorCode.map { "(\($0))" } ?? "(code default)"
        }
        let variant = present.variant.map { "\($0), " } ?? ""
        let line = "\(present.key): \(value(former)) -> \(value(present)) (\(variant)\(present.reason))"
        return FlagTable.printable(line)
    }

    private static func object(_ event: FlagValue, _ value: FlagValue) -> String {
        var members = value.objectValue ?? [:]
        members["event"] = event
        return FlagValue.object(members).jsonText
    }
}
