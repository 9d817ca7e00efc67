/// Why a server could not start.
package struct HTTPServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of problem.
    package struct Code: Hashable, Sendable {
        private let name: String

        /// The host is no address of this machine, or cannot be resolved.
        package static let invalidAddress = Code(name: "invalidAddress")
        /// Another program listens on that port.
        package static let addressInUse = Code(name: "addressInUse")
        /// The system does not let this process listen there.
        package static let permissionDenied = Code(name: "permissionDenied")
        /// Certificate or key are missing, unreadable, malformed, or not a pair.
        package static let invalidTLS = Code(name: "invalidTLS")
        /// A value of the configuration is out of its range.
        package static let invalidConfiguration = Code(name: "invalidConfiguration")
        /// The system lacks memory, threads or file descriptors, or refused for another reason.
        package static let system = Code(name: "system")
    }

    /// The kind of problem.
    package let code: Code
    /// What is wrong and what to do, for a person.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
