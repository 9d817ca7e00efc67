import Flagstaff
import FlagstaffTesting
import Foundation

/// Makes a client for a test, and what controls the service that it connects to: in memory, without a network.
///
/// The client is not initialized, as the code under test usually does that. Close it when the test is over.
///
/// - Parameters:
///   - values: What the service serves to every context, by key. A blank key, and a number that is not finite, is a fault
///     of the test and stops it.
///   - timeout: How long `initialize`, `updateContext` and `resumeNetwork` wait while they are held, in seconds. Default: as
///     in an app, 3.
///   - logger: Where the client says what it does. Default: as in an app.
/// - Returns: The client and its controls.
public func makeTestClient(
    values: [String: TestValue] = [:], timeout: TimeInterval = ConnectionOptions().timeout,
    logger: any ConfigDirectorLogger = ConsoleLogger()
) -> TestClient {
    TestClient(values: values, timeout: timeout, logger: logger)
}

/// A client, and what controls the service that it connects to.
///
/// Only the connection, reports and the app's life cycle are replaced; all else is what an app runs. A value that is set
/// has arrived when the control returns. All members can be used from any thread, and from a logger.
public final class TestClient: Sendable {
    /// The client, as the code under test takes it.
    public let client: ConfigDirectorClient
    let service: TestFlagService
    let calls: CallControl

    init(values: [String: TestValue], timeout: TimeInterval, logger: any ConfigDirectorLogger) {
        let service = TestFlagService(values: values.mapValues(\.flagValue))
        let calls = CallControl(service)
        let options = ConfigDirectorClientOptions(
            connection: ConnectionOptions(timeout: timeout, pausesWhileBackgrounded: false), logger: logger)
        let flags = service.makeClient { configuration in
            configuration.adopt(options)
            configuration.telemetry = .off
            // A request that is held is the test's to end.
            configuration.requestTimeout = 3600
        }
        self.service = service
        self.calls = calls
        client = ConfigDirectorClient(flags, options: options, observer: calls)
    }

    // MARK: Values

    /// Sets a config's value, and sends it to the client where that is connected, also where it is the same as before.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The config's key.
    public func setValue(_ value: TestValue, for key: String) {
        service.setValue(value.flagValue, for: key)
    }

    /// Removes a config, and sends the client all that are left; also where there is none of that key.
    ///
    /// - Parameter key: The config's key.
    public func removeValue(for key: String) {
        service.removeValue(for: key, sendingAll: true)
    }

    /// Replaces all values, takes back what is planned for the next calls, and sends the client all values.
    ///
    /// A call that is held stays held.
    ///
    /// - Parameter values: The values by key.
    public func replaceValues(_ values: [String: TestValue]) {
        calls.disarm()
        service.replaceValues(values.mapValues(\.flagValue))
    }

    // MARK: The next initialize

    /// Lets the next `initialize` wait until ``completeInitialization()`` or ``failInitialization()``, or its time limit.
    public func holdInitialization() {
        calls.hold(.initialization)
    }

    /// Lets the `initialize` that is held return with the values of now, which can be read when this returns.
    ///
    /// With none held it takes back what is planned for the next one.
    public func completeInitialization() {
        calls.complete(.initialization)
    }

    /// Lets the `initialize` that is held fail as with an invalid key; with none held, the next one.
    public func failInitialization() {
        calls.fail(.initialization)
    }

    // MARK: The next updateContext

    /// Lets the next `updateContext` wait until ``completeContextUpdate()`` or ``failContextUpdate()``, or its time limit.
    public func holdContextUpdate() {
        calls.hold(.contextUpdate)
    }

    /// Lets the `updateContext` that is held return with the values of now, which can be read when this returns.
    ///
    /// With none held it takes back what is planned for the next one.
    public func completeContextUpdate() {
        calls.complete(.contextUpdate)
    }

    /// Lets the `updateContext` that is held fail as with an invalid key; with none held, the next one.
    public func failContextUpdate() {
        calls.fail(.contextUpdate)
    }

    /// The contexts of all calls of `initialize` and `updateContext` so far, in order; an empty one where none was given.
    public var contextUpdates: [ConfigDirectorContext] { calls.contexts }
}
