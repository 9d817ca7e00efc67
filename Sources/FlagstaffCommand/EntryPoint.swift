import Foundation

/// Where the process starts: everything else can be run by tests as well.
@main
struct EntryPoint {
    static func main() async {
        let status = await CommandLineTool.run(Array(CommandLine.arguments.dropFirst()), console: .standard)
        exit(status.rawValue)
    }
}
