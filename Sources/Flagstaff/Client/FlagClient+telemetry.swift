public import Foundation

extension FlagClient {
    /// Reports that something happened in the app: a purchase, a screen that was opened, how long something took.
    ///
    /// The event waits in memory and is sent with the next report; it never waits for the network or a disk. It is about
    /// the context that was set last. What ``FlagTelemetryPolicy/privateAttributes`` keeps out of contexts does not
    /// apply to properties: leave personal data out of them.
    ///
    /// - Parameters:
    ///   - name: What happened: 1 to 256 bytes.
    ///   - value: A number that belongs to it, such as an amount. It must be finite. Default: none.
    ///   - properties: What else is to be told: at most 300, of 32 KiB together, nested at most 8 levels deep. Default:
    ///     none.
    /// - Returns: Whether the event will be reported: `false` when it is not acceptable, too many are waiting, the app
    ///   wants nothing reported, the service takes no reports, or the client is closed.
    @discardableResult
    public func track(_ name: String, value: Double? = nil, properties: [String: FlagValue] = [:]) -> Bool {
        core.telemetry?.track(name, value: value, properties: properties) ?? false
    }

    /// Sends what is to be reported now, and what could not be delivered before.
    ///
    /// - Parameter timeout: How long to wait at most, in seconds. Default 5. Sending goes on after that.
    /// - Returns: Whether all of it has arrived. `false` at once while the service wants to be left alone, and for a
    ///   client that is not started, is closed, or reports nothing.
    @discardableResult
    public func flush(timeout: TimeInterval = 5) async -> Bool {
        await core.telemetry?.flush(timeout: timeout) ?? false
    }
}
