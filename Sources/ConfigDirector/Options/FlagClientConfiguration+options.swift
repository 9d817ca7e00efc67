import Flagstaff

extension FlagClientConfiguration {
    /// The least interval of polls, in seconds.
    private static let leastInterval: TimeInterval = 30

    /// The configuration that a key and options ask for.
    ///
    /// - Throws: ``ConfigDirectorError`` for a blank key, and for a base URL that cannot be connected to.
    init(clientSDKKey: String, options: ConfigDirectorClientOptions) throws(ConfigDirectorError) {
        let key = clientSDKKey.trimmingCharacters(in: .whitespacesAndNewlines)
        if key.isEmpty { throw .missingClientSDKKey }
        if let baseURL = options.connection.baseURL {
            guard let scheme = baseURL.scheme?.lowercased(), baseURL.host?.isEmpty == false else {
                throw .invalidBaseURL(baseURL)
            }
            if scheme == "http" {
                options.logger.warn(
                    "the base URL is not https: anyone on the way can read and change what is sent")
            }
        }
        self.init(
            endpoint: options.connection.baseURL
                ?? Self.deployedEndpoint(logger: LoggerBridge(logger: options.logger)),
            // No header can hold anything else; such a key is refused by the service, as it is nobody's.
            key: key.addingPercentEncoding(withAllowedCharacters: Self.headerCharacters) ?? key)
        adopt(options)
    }

    private static let headerCharacters = CharacterSet(
        charactersIn: Unicode.Scalar(0x21)...Unicode.Scalar(0x7E))

    /// Takes over all but the address and the key.
    package mutating func adopt(_ options: ConfigDirectorClientOptions) {
        switch options.connection.mode {
        case .streaming: sync = .streaming
        case .polling: sync = .polling(every: Self.interval(options))
        }
        background = options.connection.pausesWhileBackgrounded ? .automatic : .keepRunning
        contextSwitch = .keepUntilReplaced
        waitsOutFailures = true
        refusal = .stopAtRejection
        retry = FlagRetryPolicy(longest: 512, leastPart: 0.5)
        coercion = .configDirector
        cache = .off
        telemetry.firstFlush = 5
        telemetry.flushInterval = 30
        app = FlagAppInfo(options.metadata)
        logger = LoggerBridge(logger: options.logger)
    }

    private static func interval(_ options: ConfigDirectorClientOptions) -> TimeInterval {
        let asked = options.connection.pollingInterval
        // Written so that a number that is none is raised too.
        if asked >= leastInterval { return asked }
        options.logger.warn(
            "a polling interval of \(asked) s is raised to the least one, \(Int(leastInterval)) s")
        return leastInterval
    }
}

extension FlagAppInfo {
    /// The app as the code names it, else as its bundle does.
    init(_ metadata: ConfigDirectorMetaContext?) {
        let bundle = FlagAppInfo.main
        self.init(
            name: metadata?.appName ?? bundle.name, version: metadata?.appVersion ?? bundle.version)
    }
}
