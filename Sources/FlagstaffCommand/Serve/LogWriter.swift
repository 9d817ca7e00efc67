import FlagModel
import FlagService
import Foundation

/// Writes log lines to standard error, one write each, as text for people or as JSON for programs.
final class LogWriter: Sendable {
    /// How lines are written.
    enum Format: String, CaseIterable, Sendable {
        case text, json
    }

    private let format: Format

    init(format: Format) {
        self.format = format
    }

    /// A log that writes here.
    func log(level: ServiceLog.Level) -> ServiceLog {
        ServiceLog(level: level) { [self] entry in
            let line = Self.line(entry, format: format, time: Date().formatted(.iso8601))
            // Whoever reads the log may be gone; that must not end the service.
            try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
        }
    }

    /// The line for an entry, without its line end.
    static func line(_ entry: ServiceLog.Entry, format: Format, time: String) -> String {
        switch format {
        case .text:
            let level = entry.level.name.padding(toLength: 7, withPad: " ", startingAt: 0)
            let fields = entry.fields.map { " \($0.name)=\(quoted($0.value))" }.joined()
            return "\(time) \(level) \(FlagTable.printable(entry.message))\(fields)"
        case .json:
            var members: [String: FlagValue] = [
                "time": .string(time), "level": .string(entry.level.name), "message": .string(entry.message),
            ]
            for field in entry.fields where members[field.name] == nil {
                members[field.name] = .string(field.value)
            }
            return FlagValue.object(members).jsonText
        }
    }

    /// The value as it is, or as a JSON string where it would not be told from what is around it.
    private static func quoted(_ value: String) -> String {
        let isPlain =
            !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3D }
        return isPlain ? value : FlagValue.string(value).jsonText
    }
}
