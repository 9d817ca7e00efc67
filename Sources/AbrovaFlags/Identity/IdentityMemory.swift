import Flagstaff

/// What the device remembers of the user from one run to the next.
struct IdentityMemory: Sendable {
    /// The id of the installation, which all clients of the app share.
    private let installation: FlagIdentityStore
    /// The user and attributes of the clients with one key and environment.
    private let user: FlagIdentityStore

    /// The memory of a client.
    ///
    /// - Parameters:
    ///   - config: Whose memory it is: clients with other keys or environments have their own.
    ///   - storage: Where it is stored.
    ///   - installation: The id of the installation. Default: the one that all clients of the app share.
    ///   - logger: Where faults are reported.
    init(
        _ config: AbrovaFlagsConfig, storage: any FlagStorage, installation: FlagIdentityStore? = nil,
        logger: any FlagLogger
    ) {
        self.installation = installation ?? Self.sharedInstallation
        // The store makes a digest of it: no key is written.
        user = FlagIdentityStore(
            storageName: "abrova \(config.environment ?? "") \(config.apiKey)", storage: storage,
            logger: logger)
    }

    /// One for the process: a second one would not see that the first was given another id.
    private static let sharedInstallation = FlagIdentityStore(
        storageName: "abrova", storage: UserDefaultsStorage.standard,
        logger: AbrovaFlagsLogLevel.warning.logger)

    /// Reads what is stored, so that the rest waits for nothing: the first call waits for the device, about a millisecond.
    func load() {
        _ = installation.waitForAnonymousID()
        _ = user.waitForRememberedContext()
    }

    /// The id of the installation.
    var anonymousID: String { installation.waitForAnonymousID() }

    /// Makes another id of the installation.
    func resetAnonymousID() {
        installation.resetAnonymousID()
    }

    /// Who is remembered.
    var identity: Identity { Identity(remembered: user.waitForRememberedContext()) }

    /// Remembers who uses the app.
    func remember(_ identity: Identity) {
        if let context = identity.remembered { user.remember(context) } else { user.forget() }
    }

    /// Waits until all is stored, for tests.
    func flush() async {
        await installation.flush()
        await user.flush()
    }
}
