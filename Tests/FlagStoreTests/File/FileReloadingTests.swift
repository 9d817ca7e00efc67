import FlagEvaluation
import Testing

@testable import FlagStore

@Suite struct FileReloadingTests {
    private static let good = Array(
        #"{"flags":{"a":{"state":"ENABLED","variants":{"on":true},"defaultVariant":"on"}}}"#.utf8)
    private static let other = Array(#"{"flags":{}}"#.utf8)

    private var reloading = FileReloading(path: "flags.json", options: EvaluationOptions())

    /// What an action does, in a form that can be compared.
    private func summary(_ action: FileReloading.Action) -> String {
        switch action {
        case .nothing: "nothing"
        case .lookAgain: "look again"
        case .deliver(.rules(let rules)): "\(rules.flags.count) flags"
        case .deliver(.fault(let fault)): "fault: \(fault)"
        }
    }

    @Test mutating func deliversTheFirstRules() {
        #expect(summary(reloading.look(.success(Self.good), .none)) == "1 flags")
    }

    @Test mutating func tellsAFaultAtTheStartAtOnce() {
        let fault = FlagSourceFault("flags.json does not exist")
        #expect(summary(reloading.look(.failure(fault), .none)) == "fault: flags.json does not exist")
    }

    @Test mutating func saysNothingWhenTheContentIsTheSame() {
        _ = reloading.look(.success(Self.good))
        #expect(summary(reloading.look(.success(Self.good))) == "nothing")
    }

    @Test mutating func deliversAnEmptySetOfFlagsAsNewRules() {
        _ = reloading.look(.success(Self.good))
        #expect(summary(reloading.look(.success(Self.other))) == "0 flags")
    }

    @Test mutating func looksTwiceBeforeItTellsAFault() {
        _ = reloading.look(.success(Self.good))
        let fault = FlagSourceFault("gone")
        #expect(summary(reloading.look(.failure(fault))) == "look again")
        #expect(summary(reloading.look(.failure(fault))) == "fault: gone")
        #expect(summary(reloading.look(.failure(fault))) == "nothing")
    }

    @Test mutating func doesNotLetAnotherNoticeHurryAFault() {
        _ = reloading.look(.success(Self.good))
        let fault = FlagSourceFault("gone")
        #expect(summary(reloading.look(.failure(fault))) == "look again")
        #expect(summary(reloading.look(.failure(fault), .lasts)) == "look again")
        #expect(summary(reloading.look(.failure(fault), .lasts)) == "look again")
        #expect(summary(reloading.look(.failure(fault))) == "fault: gone")
    }

    @Test mutating func forgivesAFileThatIsHalfWritten() {
        _ = reloading.look(.success(Self.good))
        #expect(summary(reloading.look(.success(Array(Self.good.dropLast(9))))) == "look again")
        #expect(summary(reloading.look(.success(Self.other))) == "0 flags")
        #expect(summary(reloading.look(.failure(FlagSourceFault("gone")))) == "look again")
    }

    @Test mutating func deliversTheSameRulesAgainWhenAFaultIsOver() {
        _ = reloading.look(.success(Self.good))
        let fault = FlagSourceFault("gone")
        _ = reloading.look(.failure(fault))
        _ = reloading.look(.failure(fault))
        #expect(summary(reloading.look(.success(Self.good))) == "1 flags")
        #expect(summary(reloading.look(.success(Self.good))) == "nothing")
    }

    @Test mutating func tellsAnotherFaultToo() {
        _ = reloading.look(.failure(FlagSourceFault("gone")), .none)
        _ = reloading.look(.failure(FlagSourceFault("a folder")))
        #expect(summary(reloading.look(.failure(FlagSourceFault("a folder")))) == "fault: a folder")
    }

    @Test mutating func saysHowAnEmptyFileIsMeant() {
        for content in ["", " \n\t\r\n"] {
            var reloading = FileReloading(path: "flags.json", options: EvaluationOptions())
            let action = reloading.look(.success(Array(content.utf8)), .none)
            #expect(summary(action).contains("flags.json is empty; to serve no flags, write"))
        }
    }

    @Test mutating func saysWhereAFileIsNotJSON() {
        let action = reloading.look(.success(Array("{\n  \"flags\": oops\n}".utf8)), .none)
        #expect(summary(action).contains("flags.json"))
        #expect(summary(action).contains("line 2, column 12"))
    }
}
