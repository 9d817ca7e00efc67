import Foundation
import SplitThin

// The samples of the SDK's documentation as they stand there: that this file compiles is the test. What they do is tested
// in the suites of each subject. `any` is a rule of this package; `Tests/Consumer` has them without.

enum DocumentedSamples {
    // MARK: Initialization

    static func initialize() -> (any SplitFactory)? {
        // Build the factory with an SDK key and a default target
        let factory = DefaultSplitFactoryBuilder()
            .setSdkKey(SdkKey("YOUR_SDK_KEY"))
            .setTarget(
                Target(
                    // matchingKey identifies the entity being evaluated: an internal user id,
                    // an account id, a device id, or a UUID for anonymous users.
                    matchingKey: "CUSTOMER_ID",
                    attributes: ["plan": "premium"],  // optional, used for targeting rules
                    trafficType: "user"
                )
            )
            .build()

        // Get the client instance bound to the default target
        guard let client = factory?.getClient() else { return nil }
        _ = client
        return factory
    }

    static func bucketing() -> [Target] {
        let first = {
            let target = Target(
                matchingKey: "user-123",
                bucketingKey: "anon-cookie-abc",
                trafficType: "user"
            )
            return target
        }()
        let second = {
            let target = Target(
                key: Key(matchingKey: "user-123", bucketingKey: "anon-cookie-abc"),
                trafficType: "user"
            )
            return target
        }()
        return [first, second]
    }

    // MARK: Basic use

    final class SplitListener: SplitEventListener {
        weak var client: (any SplitClient)?

        init(client: any SplitClient) {
            self.client = client
        }

        func onReady(_ metadata: SdkReadyMetadata) {
            let result = client?.getTreatment(flag: "FEATURE_FLAG_NAME")
            switch result?.treatment {
            case "on":
                // insert code here to show on treatment
                break
            case "off":
                // insert code here to show off treatment
                break
            default:
                // insert your control treatment code here
                break
            }
        }
    }

    static func listen(_ client: (any SplitClient)?) {
        guard let client else { return }
        client.addEventListener(SplitListener(client: client))
    }

    static func attributes(_ client: (any SplitClient)?) {
        let target = Target(
            matchingKey: "CUSTOMER_ID",
            trafficType: "user",
            attributes: [
                "plan_type": "growth",
                "deal_size": 10000,
                "paying_customer": true,
                "permissions": ["read", "write"],
                "registered_date": Int64(Date().timeIntervalSince1970 * 1000),
            ]
        )

        client?.setTarget(target: target)
    }

    static func several(_ client: (any SplitClient)?) -> ([EvaluationResult]?, [EvaluationResult]?) {
        // Get treatments for a list of flag names
        let flagNames = ["FEATURE_FLAG_NAME_1", "FEATURE_FLAG_NAME_2"]
        let results = client?.getTreatments(flags: flagNames)

        // Get treatments for the union of multiple flag sets
        let flagSets = ["frontend", "client_side"]
        let bySets = client?.getTreatmentsByFlagSets(flagSets: flagSets)
        return (results, bySets)
    }

    static func results() -> [EvaluationResult] {
        [
            EvaluationResult(flag: "FEATURE_FLAG_NAME_1", treatment: "on", flagSets: ["frontend"]),
            EvaluationResult(
                flag: "FEATURE_FLAG_NAME_2", treatment: "visa", flagSets: ["frontend", "client_side"]),
        ]
    }

    static func config(_ client: (any SplitClient)?) -> [String: Any]? {
        let result = client?.getTreatment(flag: "FEATURE_FLAG_NAME")
        var config: [String: Any]? = nil
        if let configString = result?.config, let data = configString.data(using: .utf8) {
            config = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        }
        return config
    }

    static func target(_ client: (any SplitClient)?) {
        client?.setTarget(
            target: Target(
                matchingKey: "user-456",
                attributes: [
                    "plan_type": "enterprise",
                    "deal_size": 50000,
                ],
                trafficType: "user"
            ))
    }

    static func shutdown(_ client: any SplitClient, _ factory: any SplitFactory) async {
        await client.flush()
        await client.destroy()
        await factory.destroy()
    }

    // MARK: Track

    static func track(_ client: (any SplitClient)?) -> Bool {
        // Event type only
        var queued: Bool = client?.track(eventType: "page_load", value: nil, properties: nil) ?? false

        // Event type and value
        queued = client?.track(eventType: "page_load_time", value: 83.334, properties: nil) ?? false

        // Event type, value, and properties
        let properties: EventProperties = [
            "package": "premium",
            "admin": true,
            "discount": 50,
        ]
        queued = client?.track(eventType: "checkout", value: 49.99, properties: properties) ?? false

        // Event type and properties only (skip value with nil)
        queued = client?.track(eventType: "checkout", value: nil, properties: properties) ?? false
        return queued
    }

    // MARK: Configuration

    static func configuration() -> (any SplitFactory)? {
        let config = SplitClientConfig.builder()
            .set(logLevel: .info)
            .set(configsEnabled: false)
            .set(syncMode: .streaming)
            .set(evaluationFilters: EvaluationFilters(flagSets: ["frontend"]))
            .set(
                fallbackTreatments: FallbackTreatmentsConfig.builder()
                    .global(FallbackTreatment(treatment: "off"))
                    .byFlag(["my-feature": FallbackTreatment(treatment: "on", config: "{\"color\":\"blue\"}")]
                    )
                    .build()
            )
            .build()

        let factory = DefaultSplitFactoryBuilder()
            .setSdkKey(SdkKey("YOUR_SDK_KEY"))
            .setTarget(Target(matchingKey: "CUSTOMER_ID", trafficType: "user"))
            .setConfig(config)
            .build()
        return factory
    }

    static func modes() -> [SplitClientConfig] {
        let polling = {
            let config = SplitClientConfig.builder()
                .set(syncMode: .polling)
                .set(pollingRate: 120)
                .build()
            return config
        }()
        let prefix = {
            let config = SplitClientConfig.builder()
                .set(prefix: "my_app")
                .build()
            return config
        }()
        let logging = {
            let config = SplitClientConfig.builder()
                .set(logLevel: .debug)
                .build()
            return config
        }()
        return [polling, prefix, logging]
    }

    static func manager(_ factory: any SplitFactory) -> [String] {
        let manager = factory.manager()

        let flagNames = manager.getFlagNames()
        return flagNames
    }

    static func fallbacks() -> [SplitClientConfig] {
        let global = {
            let fallbacks = FallbackTreatmentsConfig.builder()
                .global(FallbackTreatment(treatment: "off", config: "{\"reason\":\"global-fallback\"}"))
                .build()

            let config = SplitClientConfig.builder()
                .set(fallbackTreatments: fallbacks)
                .build()
            return config
        }()
        let byFlag = {
            let fallbacks = FallbackTreatmentsConfig.builder()
                .global("off")
                .byFlag([
                    "new_dashboard": "off",
                    "checkout_v2": FallbackTreatment(
                        treatment: "control_v1", config: "{\"reason\":\"flag-level-fallback\"}"),
                ])
                .build()

            let config = SplitClientConfig.builder()
                .set(fallbackTreatments: fallbacks)
                .build()
            return config
        }()
        return [global, byFlag]
    }

    // MARK: Advanced use

    static func clients() async {
        guard
            let factory = DefaultSplitFactoryBuilder()
                .setSdkKey(SdkKey("YOUR_SDK_KEY"))
                .setTarget(Target(matchingKey: "CUSTOMER_USER_ID", trafficType: "user"))
                .build()
        else { return }

        // Default target client (bound to CUSTOMER_USER_ID / "user")
        let userClient = factory.getClient()

        // Second client for the account that owns this user
        let accountClient = factory.getClient(
            Target(matchingKey: "CUSTOMER_ACCOUNT_ID", trafficType: "account")
        )

        let userPoll = userClient.getTreatment(flag: "user-poll")
        let accountPerms = accountClient.getTreatment(flag: "account-permissioning")

        accountClient.track(eventType: "account_created", value: nil, properties: nil)
        _ = (userPoll, accountPerms)
        await factory.destroy()
    }

    final class MyListener: SplitEventListener {
        weak var client: (any SplitClient)?

        init(client: any SplitClient) {
            self.client = client
        }

        func onReady(_ metadata: SdkReadyMetadata) {
            // Fresh evaluations from FME cloud are available; safe to evaluate.
        }

        func onReadyFromCache(_ metadata: SdkReadyFromCacheMetadata) {
            // Cached evaluations restored from a previous session; results may be stale.
        }

        func onReadyTimedOut() {
            // SDK did not become ready within readyTimeout.
            // Calls return the configured fallback treatment (or `control`
            // if no fallback is set) until ready.
        }

        func onUpdate(_ metadata: SdkUpdateMetadata) {
            // Evaluations changed; refresh affected state for the impacted flags.
            let results = client?.getTreatments(flags: metadata.names)
            _ = results
        }
    }

    static func subscribe(_ client: any SplitClient) {
        let listener = MyListener(client: client)
        client.addEventListener(listener)

        // Later, to stop receiving events from this listener:
        client.removeEventListener(listener)
    }

    final class MetadataListener: SplitEventListener {
        func onReady(_ metadata: SdkReadyMetadata) {
            let initialCacheLoad: Bool = metadata.isInitialCacheLoad
            let lastUpdateTimestamp: Int64? = metadata.lastUpdateTimestamp
            _ = (initialCacheLoad, lastUpdateTimestamp)
        }

        func onUpdate(_ metadata: SdkUpdateMetadata) {
            let type: SdkUpdateMetadataType = metadata.type
            let names: [String] = metadata.names
            _ = (type, names)
        }
    }
}
