/// What an app's call that waits for the answer to a request is for.
package struct RequestPurpose: RawRepresentable, Hashable, Sendable {
    /// The purpose's name.
    package let rawValue: String

    /// Makes a purpose from its name.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// `start`.
    package static let start = RequestPurpose(rawValue: "start")
    /// `setContext`.
    package static let contextChange = RequestPurpose(rawValue: "contextChange")
    /// Any other call that asks for current values.
    package static let refresh = RequestPurpose(rawValue: "refresh")
}
