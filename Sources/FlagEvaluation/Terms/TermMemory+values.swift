import FlagModel

extension TermMemory {
    /// Deeper values are `null` to rules, so that walking through one never exhausts the stack.
    static let maximumDepth = 128

    /// Copies a value.
    mutating func term(of value: FlagValue, depth: Int = 0) -> Term {
        switch value {
        case .null: return .null
        case .bool(let value): return Term(value)
        case .int(let value): return Term(value)
        case .double(let value): return Term(value)
        case .string(let value): return term(of: value)
        case .array(let elements):
            guard depth < Self.maximumDepth else { return .null }
            let size = elements.count * MemoryLayout<Term>.stride
            let target = allocate(size).bindMemory(to: Term.self, capacity: elements.count)
            for index in elements.indices {
                (target + index).initialize(to: term(of: elements[index], depth: depth + 1))
            }
            return Term(elements: target, count: elements.count)
        case .object(let members):
            guard depth < Self.maximumDepth else { return .null }
            return term(of: members, depth: depth)
        }
    }

    /// Copies an object, except for one name.
    mutating func term(of members: [String: FlagValue], without excluded: String? = nil, depth: Int = 0)
        -> Term
    {
        let size = members.count * MemoryLayout<Member>.stride
        let target = allocate(size).bindMemory(to: Member.self, capacity: members.count)
        var count = 0
        for (name, value) in members where excluded == nil || name != excluded {
            let name = term(of: name)
            let member = Member(
                hash: nameHash(name.bytes), name: name, value: term(of: value, depth: depth + 1))
            (target + count).initialize(to: member)
            count += 1
        }
        sortByHash(UnsafeMutableBufferPointer(start: target, count: count))
        return Term(members: target, count: count)
    }

    /// Copies a text.
    mutating func term(of text: String) -> Term {
        var text = text
        return text.withUTF8 { term(of: UnsafeRawBufferPointer($0)) }
    }

    /// Copies the bytes of a text.
    mutating func term(of bytes: UnsafeRawBufferPointer) -> Term {
        let target = allocate(bytes.count)
        if let source = bytes.baseAddress { target.copyMemory(from: source, byteCount: bytes.count) }
        return Term(text: target, count: bytes.count)
    }
}

/// Puts members into the order that looking up needs.
///
/// Objects are small: sorting by insertion is the quickest, and the standard library's sort takes over where
/// it would not be.
func sortByHash(_ members: UnsafeMutableBufferPointer<Member>) {
    guard members.count <= 32 else {
        var members = members
        members.sort { $0.hash < $1.hash }
        return
    }
    for index in members.indices.dropFirst() {
        let member = members[index]
        var hole = index
        while hole > 0, members[hole - 1].hash > member.hash {
            members[hole] = members[hole - 1]
            hole -= 1
        }
        members[hole] = member
    }
}
