import FlagEvaluation
import FlagModel

/// Evaluates cases, a JSON object a line, and answers each with a line.
struct CaseEvaluator {
    let options: EvaluationOptions
    /// The time for cases that do not name one, in seconds since 1970.
    let defaultNow: Int64

    /// How deep a line is read: its definition as deep as one of its own.
    private static let depth = DepthLimiter.definitionDepth + 1

    /// Evaluates all cases of a file.
    ///
    /// Answers are written as the cases come in, also from a pipe.
    ///
    /// - Parameters:
    ///   - path: The file, or `-`.
    ///   - console: Where answers go.
    /// - Returns: Whether all lines were cases.
    /// - Throws: `InputFile.Failure` when the file cannot be read.
    func run(_ path: String, _ console: Console) throws(InputFile.Failure) -> CommandStatus {
        let file = try InputFile(path)
        var splitter = LineSplitter()
        var number = 0
        var status = CommandStatus.success
        func answers(to lines: [[UInt8]]) -> [UInt8] {
            var answers: [UInt8] = []
            for line in lines {
                number += 1
                if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { continue }
                do throws(Fault) {
                    answers += ResolutionText.shortJSON(try resolution(line))
                } catch {
                    answers += ResolutionText.json(fault: "line \(number): \(error.message)")
                    status = .failure
                }
                answers.append(UInt8(ascii: "\n"))
            }
            return answers
        }
        while true {
            let chunk = try file.readChunk()
            let lines = chunk.isEmpty ? splitter.finish().map { [$0] } ?? [] : splitter.add(chunk)
            if !lines.isEmpty { console.writeOutput(answers(to: lines)) }
            if chunk.isEmpty { return status }
        }
    }

    /// Why a line is no case.
    struct Fault: Error {
        let message: String
    }

    /// Evaluates one case.
    ///
    /// - Parameter line: The case as JSON.
    /// - Returns: What the flag resolves to.
    /// - Throws: ``Fault`` when the line is no case.
    func resolution(_ line: [UInt8]) throws(Fault) -> FlagResolution {
        let members: [String: FlagValue]
        do throws(JSONError) {
            let value = try JSONParser.parse(
                DepthLimiter.limit(line, to: Self.depth), limits: .init(depth: Self.depth))
            guard case .object(let object) = value else {
                throw JSONError(
                    message: "expected an object, found a \(value.kind)", line: 1, column: 1, offset: 0)
            }
            members = object
        } catch {
            throw Fault(message: "column \(error.column): \(error.message)")
        }
        guard let definition = members["flags"] else { throw Fault(message: "there is no member \"flags\"") }
        guard let key = members["key"]?.stringValue else {
            throw Fault(message: "the member \"key\" is missing or no string")
        }
        let context: [String: FlagValue]
        switch members["context"] {
        case nil, .null: context = [:]
        case .object(let members): context = members
        default: throw Fault(message: "the member \"context\" is no object")
        }
        var now = defaultNow
        if let value = members["now"], !value.isNull {
            guard let seconds = value.intValue else {
                throw Fault(message: "the member \"now\" is no whole number of seconds")
            }
            now = seconds
        }
        do throws(DefinitionError) {
            let ruleset = try Ruleset(definition: definition, options: options)
            return ruleset.resolution(of: key, for: EvaluationContext(attributes: context, now: now))
        } catch {
            throw Fault(message: "the flags are no definition: \(error)")
        }
    }
}
