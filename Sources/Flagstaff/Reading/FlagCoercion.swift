public import FlagModel

/// A rule for which values a client's reads take as which types, in place of the usual one.
///
/// By the usual rule nothing is lost and nothing is guessed: see ``FlagConvertible``. Code that was written for another
/// library may count on another rule, such as text that is read as a number; this is for what stands in for that library.
/// It decides reads as `Bool`, `Int`, `Int64`, `Double` and `String`, wherever they are made; types of the app's own make
/// themselves from the value as it was sent.
public struct FlagCoercion: Sendable {
    /// A type that a read asks for.
    ///
    /// Open: later versions can add some.
    public struct Target: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The type's name.
        public let rawValue: String

        /// Makes a target from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `Bool`.
        public static let bool = Target(rawValue: "bool")
        /// `Int` and `Int64`.
        public static let int = Target(rawValue: "int")
        /// `Double`.
        public static let double = Target(rawValue: "double")
        /// `String`.
        public static let string = Target(rawValue: "string")

        /// The name.
        public var description: String { rawValue }
    }

    /// Why a value cannot be read as a type.
    public struct Mismatch: Error, Hashable, Sendable {
        /// The reason in words, which evaluations tell as ``FlagEvaluation/errorDetails``.
        public var details: String

        /// Makes a reason.
        ///
        /// - Parameter details: The reason in words.
        public init(_ details: String) {
            self.details = details
        }
    }

    let convert: @Sendable (FlagResolution, FlagValue, Target) throws -> FlagValue

    /// Makes a rule.
    ///
    /// - Parameter convert: Gives a flag's value as a value of the target's type, or throws a ``Mismatch``: the read then
    ///   gives its default, with the error code `TYPE_MISMATCH`. It must follow from its arguments alone. Called from any
    ///   thread, inside locks of the client's, so it computes and does nothing else. A result of another type is a
    ///   mismatch too.
    public init(
        _ convert:
            @escaping @Sendable (
                _ flag: FlagResolution, _ value: FlagValue, _ target: Target
            ) throws -> FlagValue
    ) {
        self.convert = convert
    }
}

extension ReadKind {
    /// The type that a rule of the app's decides about; `nil` for types that convert themselves.
    var target: FlagCoercion.Target? {
        switch self {
        case .bool: .bool
        case .int: .int
        case .double: .double
        case .string: .string
        case .value, .activity, .unfit: nil
        }
    }
}

extension FlagCoercion {
    /// A flag's value as reads of that kind are given it; `nil` where there is no value.
    func value(of flag: FlagResolution?, as kind: ReadKind) throws -> FlagValue? {
        guard let flag, flag.errorCode == nil, let value = flag.value, let target = kind.target else {
            return nil
        }
        let converted = try convert(flag, value, target)
        // `.none`, as `nil` would be the value `null`.
        return kind.fits(converted) ? converted : .none
    }
}
