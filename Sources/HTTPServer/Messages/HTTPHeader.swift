/// One header field of a message.
package struct HTTPHeader: Hashable, Sendable {
    /// The field's name; names are compared without regard to case.
    package var name: String
    /// The field's value, without line breaks.
    package var value: String

    /// A field with this name and value.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether this field has that name, compared as HTTP compares names: ASCII letters without regard to case.
    package func isNamed(_ other: String) -> Bool {
        let mine = name.utf8
        let theirs = other.utf8
        guard mine.count == theirs.count else { return false }
        for (left, right) in zip(mine, theirs) where left != right {
            guard left | 0x20 == right | 0x20, (0x61...0x7A).contains(left | 0x20) else { return false }
        }
        return true
    }
}
