/// Who is told of a client's calls: the module for tests, which decides how each of them goes.
package protocol ConnectionObserver: Sendable {
    /// A call was made.
    ///
    /// - Parameters:
    ///   - reason: Which call.
    ///   - context: The context that it was given; `nil` where it was given none.
    func called(_ reason: ConnectReason, context: ConfigDirectorContext?)

    /// A call's turn has come, and it is about to connect.
    func begins(_ reason: ConnectReason)

    /// The call is about to return.
    func ends()
}
