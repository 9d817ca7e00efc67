/// What a proxy does next on a connection.
package enum FaultStep: Hashable, Sendable {
    /// Note that an exchange begins.
    case note(ProxiedRequest)
    /// Send bytes to the service, connecting to it first where there is no connection.
    case toService([UInt8])
    /// Send bytes to the client.
    case toClient([UInt8])
    /// Go on after so many seconds.
    case wait(Double)
    /// Go on when the gate is released.
    case hold(String)
    /// End the connection to the client, and the one to the service with it.
    case end(Fault.Ending)

    /// Whether it is done at once; the others are done in order, each when the one before is done.
    var isImmediate: Bool {
        switch self {
        case .note, .toService: true
        case .toClient, .wait, .hold, .end: false
        }
    }
}
