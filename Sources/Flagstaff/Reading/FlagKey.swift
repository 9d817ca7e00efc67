/// A flag's key together with its type and its default, declared once and used everywhere.
///
/// ```swift
/// extension FlagKey<Bool> {
///     static var newCheckout: Self { Self("new-checkout", default: false) }
/// }
///
/// if flags[.newCheckout] { … }
/// ```
///
/// A key whose name is a literal is the quickest to read by: the literal's place in the program says which flag it is.
public struct FlagKey<Value: FlagConvertible>: Sendable {
    /// A name, as it was given.
    @usableFromInline
    enum Name: Sendable {
        case literal(StaticString)
        case text(String)
    }

    @usableFromInline let storedName: Name
    /// What a read gives when the flag has no value of this type.
    public let defaultValue: Value

    /// Makes a key whose name is a literal.
    ///
    /// - Parameters:
    ///   - name: The flag's key in the service.
    ///   - defaultValue: What a read gives when the flag has no value of this type.
    @inlinable
    public init(_ name: StaticString, default defaultValue: Value) {
        // A literal of a single Unicode scalar can be a number in place of an address.
        storedName = name.hasPointerRepresentation ? .literal(name) : .text(name.description)
        self.defaultValue = defaultValue
    }

    // Disfavored, because a literal is taken for a `String` wherever there is a choice, and the initializer above
    // would never be used.

    /// Makes a key whose name is known when the program runs.
    ///
    /// - Parameters:
    ///   - name: The flag's key in the service.
    ///   - defaultValue: What a read gives when the flag has no value of this type.
    @_disfavoredOverload
    @inlinable
    public init(_ name: String, default defaultValue: Value) {
        storedName = .text(name)
        self.defaultValue = defaultValue
    }

    /// The flag's key in the service.
    public var name: String {
        switch storedName {
        case .literal(let literal): literal.description
        case .text(let text): text
        }
    }
}

extension FlagKey: Hashable {
    /// Compares names and defaults.
    public static func == (left: FlagKey, right: FlagKey) -> Bool {
        left.name == right.name && left.defaultValue == right.defaultValue
    }

    /// Feeds the name into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}
