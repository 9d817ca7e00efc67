import FlagModel

/// Finds names that stand twice in one object of a JSON text that is otherwise sound.
///
/// Of such members a reader keeps one and drops the others without a word, which is rarely what the author
/// wants.
struct DuplicateNameScanner {
    private let bytes: [UInt8]
    private var position = 0
    private var containers: [Container] = []
    private var problems: [DefinitionProblem] = []

    /// An object or a list that is open at the current position.
    private struct Container {
        let isObject: Bool
        /// The names seen so far: those of an object.
        ///
        /// As strings, of which a reader makes one also where they differ in Unicode normalization.
        var names: Set<String> = []
        /// What the next value belongs to.
        var name = ""
        var index = 0
        var expectsName: Bool

        init(isObject: Bool) {
            self.isObject = isObject
            expectsName = isObject
        }
    }

    /// Where the current position is.
    ///
    /// Made only when there is something to report: paths are as long as text is deep.
    private var path: JSONPath {
        containers.reduce(JSONPath.root) { path, container in
            container.isObject ? path.member(container.name) : path.element(container.index)
        }
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// More are not listed: who has so many needs no list.
    private static let maximumCount = 1000

    /// One problem for each repeated name.
    ///
    /// - Parameter bytes: JSON that a parser has accepted.
    /// - Returns: The problems in the order of the text.
    static func problems(in bytes: [UInt8]) -> [DefinitionProblem] {
        var scanner = DuplicateNameScanner(bytes)
        scanner.scan()
        return scanner.problems
    }

    private mutating func scan() {
        while position < bytes.count, problems.count < Self.maximumCount {
            switch bytes[position] {
            case UInt8(ascii: "{"): containers.append(Container(isObject: true))
            case UInt8(ascii: "["): containers.append(Container(isObject: false))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if !containers.isEmpty { containers.removeLast() }
            case UInt8(ascii: ","):
                guard let last = containers.indices.last else { break }
                containers[last].index += 1
                containers[last].expectsName = containers[last].isObject
            case UInt8(ascii: "\""):
                scanString()
            default:
                break
            }
            position += 1
        }
    }

    /// Moves to the closing quote, and notes a name.
    private mutating func scanString() {
        let start = position
        position += 1
        var hasEscapes = false
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") {
                hasEscapes = true
                position += 1
            }
            position += 1
        }
        guard let last = containers.indices.last, containers[last].expectsName, position < bytes.count else {
            return
        }
        containers[last].expectsName = false
        let name = Self.text(bytes[start...position], hasEscapes: hasEscapes)
        containers[last].name = name
        if !containers[last].names.insert(name).inserted {
            let message = "the name stands more than once in its object; only the last one counts"
            problems.append(DefinitionProblem(path: path.description, message: message))
        }
    }

    private static func text(_ literal: ArraySlice<UInt8>, hasEscapes: Bool) -> String {
        if hasEscapes, case .string(let text)? = try? JSONParser.parse(Array(literal)) { return text }
        return String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
    }
}
