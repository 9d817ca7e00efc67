import Foundation

/// A process for tests to kill, limit and compete with: it stores things and says on standard output what is done.
@main
struct ClientProbe {
    private static let modes: [String: @Sendable ([String]) throws -> Void] = [
        "store": StoreMode.run,
        "hold": HoldMode.run,
        "limit": LimitMode.run,
    ]

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let mode = arguments.first.flatMap({ modes[$0] }) else {
            say("usage: ClientProbe \(modes.keys.sorted().joined(separator: "|")) FOLDER")
            exit(64)
        }
        do {
            try mode(Array(arguments.dropFirst()))
        } catch {
            say("failed \(error)")
            exit(1)
        }
    }

    /// Says a line, which a reader has when this returns, whatever becomes of the process.
    static func say(_ line: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
    }
}
