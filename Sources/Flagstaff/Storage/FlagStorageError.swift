public import Foundation

/// Why bytes could not be stored, read or removed.
public struct FlagStorageError: Error, Hashable, Sendable {
    /// A kind of fault.
    ///
    /// Open: later versions can add some.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The kind's name.
        public let rawValue: String

        /// Makes a kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The name is none that a storage takes: a programming error.
        public static let invalidName = Code(rawValue: "invalidName")
        /// There is no folder to store in.
        public static let unavailable = Code(rawValue: "unavailable")
        /// Another process uses the folder.
        public static let inUse = Code(rawValue: "inUse")
        /// The disk takes no more.
        public static let full = Code(rawValue: "full")
        /// The system does not allow it.
        public static let denied = Code(rawValue: "denied")
        /// Any other fault of the system.
        public static let failed = Code(rawValue: "failed")
    }

    /// The kind of fault.
    public var code: Code
    /// What happened and what to do, for developers.
    public var message: String

    /// Makes an error from its parts.
    ///
    /// - Parameters:
    ///   - code: The kind of fault.
    ///   - message: What happened and what to do.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }
}

extension FlagStorageError: CustomStringConvertible, LocalizedError {
    /// The kind and the message.
    public var description: String { "\(code.rawValue): \(message)" }

    /// The message.
    public var errorDescription: String? { message }
}

extension FlagStorageError {
    /// Checks a name.
    ///
    /// - Parameter name: The name.
    /// - Throws: ``Code/invalidName`` where it is none that every storage takes.
    public static func check(_ name: String) throws(FlagStorageError) {
        if !isValid(name) {
            throw FlagStorageError(
                code: .invalidName,
                message: "a name in a storage has 1 to 128 of 0-9, a-z, '-' and '.', and starts with no '.'")
        }
    }

    /// Whether a storage has to take the name.
    static func isValid(_ name: String) -> Bool {
        (1...128).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: ".")
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}

extension FlagStorageError.Code: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}
