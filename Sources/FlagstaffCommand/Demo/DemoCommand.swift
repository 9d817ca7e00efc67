/// `flagstaff demo`: the service and a live client in one terminal.
struct DemoCommand: Subcommand {
    static let specification = CommandSpecification(
        name: "demo",
        summary: "See it work: a service with sample flags, and a live client in this terminal.",
        usage: ["demo [--once]"],
        discussion: """
            The service listens on a free port of this machine, over a sample flag file in a temporary folder. Edit the
            file, and the table changes within a second. All is removed at the end.

            Exit status:
              0   all went well
              1   something failed; it says what
            """,
        options: [.init("once", "Change a flag, show both values and end; needs no terminal.")])

    private let runsOnce: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        runsOnce = arguments.has("once")
    }

    func run(_ console: Console) async -> CommandStatus {
        do {
            let demo = try await Demo.start(console: console)
            if runsOnce { return await demo.runOnce() ? .success : .failure }
            await demo.run()
            return .success
        } catch {
            console.complain("flagstaff demo: \(error)")
            return .failure
        }
    }
}
