import SplitThin

let factory = DefaultSplitFactoryBuilder()
    .setSdkKey(SdkKey("YOUR_SDK_KEY"))
    .setTarget(
        Target(
            matchingKey: "CUSTOMER_ID",
            attributes: ["plan": "premium"],  // optional, used for targeting rules
            trafficType: "user"
        )
    )
    .build()

final class SplitListener: SplitEventListener {
    weak var client: SplitClient?

    init(client: SplitClient) {
        self.client = client
    }

    func onReady(_ metadata: SdkReadyMetadata) {
        let result = client?.getTreatment(flag: "FEATURE_FLAG_NAME")
        print(result?.treatment ?? "none")
    }
}

if let client = factory?.getClient() {
    client.addEventListener(SplitListener(client: client))
    client.track(eventType: "page_load", value: nil, properties: nil)
    print(client.getTreatment(flag: "FEATURE_FLAG_NAME").treatment)
}
await factory?.destroy()
