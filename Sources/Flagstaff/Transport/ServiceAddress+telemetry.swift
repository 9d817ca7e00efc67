import Foundation

extension ServiceAddress {
    /// The path of the telemetry intake below the endpoint.
    static let telemetryPath = "/api/v1/telemetry"

    /// Checks the address that a policy names for telemetry.
    ///
    /// - Throws: ``FlagClientError`` saying what to set right.
    func checkTelemetry(_ policy: FlagTelemetryPolicy) throws(FlagClientError) {
        guard policy.isEnabled, let url = policy.url else { return }
        guard let components = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let origin = Origin(components), components.user == nil, components.fragment == nil
        else {
            throw FlagClientError(
                code: .invalidConfiguration,
                message: "the address for telemetry must be an absolute http or https URL")
        }
        // The key goes there.
        guard origin.scheme == "https" || first.origin.scheme == "http" else {
            throw FlagClientError(
                code: .invalidConfiguration,
                message: "the address for telemetry must be https, as the endpoint is")
        }
    }

    /// The request that posts a batch.
    ///
    /// - Parameters:
    ///   - body: The batch in its wire form.
    ///   - named: The address that the app names for telemetry; `nil` for the one below the endpoint.
    ///   - timeout: After how many seconds of silence it fails.
    /// - Returns: The request; `nil` when the endpoint makes no URL.
    func telemetryRequest(_ body: [UInt8], to named: URL?, timeout: TimeInterval) -> FlagTransportRequest? {
        guard let url = named ?? URL(string: base + Self.telemetryPath) else { return nil }
        var headers = privateHeaders
        headers["Content-Type"] = "application/json"
        headers["Accept"] = "application/json"
        return FlagTransportRequest(
            method: "POST", url: url, headers: headers, body: body, idleTimeout: timeout)
    }
}
