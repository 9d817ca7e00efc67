extension RuleEvaluator {
    /// `var` with a path known in advance; its only argument, if any, is the default.
    mutating func path(
        _ node: UnsafePointer<RuleNode>, in start: Term, _ element: Term
    ) throws(RuleFault) -> Term {
        let fallback = node.pointee.argumentCount > 0 ? try argument(0, node, element) : .null
        var value = start
        for part in node.pointee.path {
            guard let next = try property(part, of: value) else { return fallback }
            value = next
        }
        return value
    }

    /// `var` in its general form: the path is a value, whatever its type.
    mutating func computedPath(
        _ node: UnsafePointer<RuleNode>, isElement: Bool, _ element: Term
    ) throws(RuleFault) -> Term {
        let path = try argument(0, node, element)
        let fallback = node.pointee.argumentCount > 1 ? try argument(1, node, element) : .null
        try discardArguments(from: 2, node, element)
        return try value(at: path, isElement: isElement, element) ?? fallback
    }

    /// What a path leads to, or `nil`.
    private mutating func value(
        at path: Term, isElement: Bool, _ element: Term
    ) throws(RuleFault) -> Term? {
        let start = isElement ? element : try contextObject()
        if path.isNullOrUndefined { return start }
        let path = try text(of: path)
        if path.count == 0 { return start }
        try charge(reading: Int(path.count))

        var value = start
        let bytes = path.bytes
        var nameStart = 0
        while true {
            var nameEnd = nameStart
            while nameEnd < bytes.count, bytes[nameEnd] != UInt8(ascii: ".") { nameEnd += 1 }
            let name = UnsafeRawBufferPointer(rebasing: bytes[nameStart..<nameEnd])
            // `path` is not empty, so there is an address.
            let part = PathPart(Term(text: name.baseAddress.unsafelyUnwrapped, count: name.count))
            guard let next = try property(part, of: value) else { return nil }
            value = next
            if nameEnd == bytes.count { return value }
            nameStart = nameEnd + 1
        }
    }

    /// A property as JavaScript has it: a member, an element, a character, a length.
    ///
    /// `nil` if there is none.
    @inline(__always)
    private mutating func property(_ part: PathPart, of value: Term) throws(RuleFault) -> Term? {
        switch value.kind {
        case .object:
            let member = value.member(hash: part.hash, name: part.name)
            return member?.kind == .undefined ? nil : member
        case .array:
            return element(part, of: value)
        case .string:
            return try character(part, of: value)
        case .undefined, .null, .bool, .number, .wideInteger:
            return nil
        }
    }

    private func element(_ part: PathPart, of list: Term) -> Term? {
        if part.index >= 0 {
            guard part.index < Int(list.count) else { return nil }
            let element = list.elements[part.index]
            return element.kind == .undefined ? nil : element
        }
        return part.name.hasSameText(as: lengthName) ? Term(Double(list.count)) : nil
    }

    private mutating func character(_ part: PathPart, of text: Term) throws(RuleFault) -> Term? {
        guard part.index >= 0 || part.name.hasSameText(as: lengthName) else { return nil }
        try charge(reading: Int(text.count))
        let length = TextScanning.unitCount(text.bytes)
        guard part.index >= 0 else { return Term(Double(length)) }
        return part.index < length ? try slice(text, from: part.index, to: part.index + 1) : nil
    }

    // MARK: The whole context

    /// What rules see as `$flagd`.
    mutating func flagdProperties() throws(RuleFault) -> Term {
        let whole = try contextObject()
        return whole.member(hash: flagdNames.flagd.hash, name: flagdNames.flagd.name) ?? .null
    }

    /// The context with `$flagd` in it.
    mutating func contextObject() throws(RuleFault) -> Term {
        if wholeContext.kind == .object { return wholeContext }
        let names = flagdNames
        let properties = UnsafeMutableBufferPointer(
            start: try memory.produce(2 * MemoryLayout<Member>.stride).bindMemory(
                to: Member.self, capacity: 2),
            count: 2)
        properties.initializeElement(at: 0, to: names.flagKey.member(flagKey))
        properties.initializeElement(at: 1, to: names.timestamp.member(Term(now)))
        sortByHash(properties)

        let count = context.members.count + 1
        let size = count * MemoryLayout<Member>.stride
        let members = UnsafeMutableBufferPointer(
            start: try memory.produce(size).bindMemory(to: Member.self, capacity: count), count: count)
        let flagd = Term(members: UnsafeRawPointer(properties.baseAddress.unsafelyUnwrapped), count: 2)
        members.initializeElement(at: 0, to: names.flagd.member(flagd))
        for (index, member) in context.members.enumerated() {
            members.initializeElement(at: index + 1, to: member)
        }
        sortByHash(members)
        wholeContext = Term(members: UnsafeRawPointer(members.baseAddress.unsafelyUnwrapped), count: count)
        return wholeContext
    }

    // MARK: Missing attributes

    /// `missing`: those of the given paths that lead to nothing, to `null` or to an empty text.
    mutating func missing(
        _ node: UnsafePointer<RuleNode>, isElement: Bool, _ element: Term
    ) throws(RuleFault) -> Term {
        let arguments = try allArguments(node, element)
        let first = arguments.first ?? .undefined
        return try missing(among: first.kind == .array ? first.elements : arguments, isElement, element)
    }

    /// `missing_some`: nothing if enough of the paths lead to something, else those that do not.
    mutating func missingSome(
        _ node: UnsafePointer<RuleNode>, isElement: Bool, _ element: Term
    ) throws(RuleFault) -> Term {
        let needed = try argument(0, node, element)
        let options = try argument(1, node, element)
        try discardArguments(from: 2, node, element)

        let missing: Term
        let count: Double
        switch options.kind {
        case .array:
            let elements = options.elements
            let paths = elements.first?.kind == .array ? elements[0].elements : elements
            missing = try self.missing(among: paths, isElement, element)
            count = Double(options.count)
        case .undefined, .null:
            throw .missingArgument
        default:
            let path = try newElements(1)
            path.initialize(to: options)
            missing = try self.missing(
                among: UnsafeBufferPointer(start: UnsafePointer(path), count: 1), isElement, element)
            count = options.kind == .string ? Double(TextScanning.unitCount(options.bytes)) : .nan
        }
        let present = count - Double(missing.count)
        return try present >= number(of: needed) ? emptyList() : missing
    }

    private mutating func missing(
        among paths: UnsafeBufferPointer<Term>, _ isElement: Bool, _ element: Term
    ) throws(RuleFault) -> Term {
        let target = try newElements(paths.count)
        var count = 0
        for path in paths {
            stepsLeft &-= 1
            // A path can itself be a list: the arguments of `var`, of which the first is the path.
            let isList = path.kind == .array
            let name = isList ? path.elements.first ?? .undefined : path
            let fallback = isList && path.count > 1 ? path.elements[1] : .null
            let value = try self.value(at: name, isElement: isElement, element) ?? fallback
            if value.isNullOrUndefined || value.kind == .string && value.count == 0 {
                (target + count).initialize(to: path)
                count += 1
            }
        }
        return Term(elements: target, count: count)
    }
}

private let lengthName = Term("length")

/// Names that appear in contexts by themselves, prepared once.
let flagdNames = (
    flagd: PathPart(Term("$flagd")), flagKey: PathPart(Term("flagKey")),
    timestamp: PathPart(Term("timestamp")),
    targetingKey: PathPart(Term("targetingKey"))
)

extension PathPart {
    /// A member of this name.
    func member(_ value: Term) -> Member {
        Member(hash: hash, name: name, value: value)
    }
}
