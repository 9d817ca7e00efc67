import FlagModel
import FlagstaffTesting
import Foundation
import Testing

@testable import AbrovaFlags

@Suite(.timeLimit(.minutes(1))) struct AbrovaFlagsReadingTests {
    private struct Layout: Decodable, Equatable {
        let columns: Int
    }

    private static let values: [String: FlagValue] = [
        "dark-mode": true, "off": false, "theme": "dark", "max-items": 20, "ratio": 0.5,
        "home-layout": ["columns": 3, "ratio": 1.5, "tags": ["a", nil], "wide": true],
    ]

    @Test func gettersGiveTheServicesValues() async {
        let flags = await Device(Self.values).ready()
        #expect(flags.getBoolean("dark-mode", default: false))
        #expect(!flags.getBoolean("off", default: true))
        #expect(flags.getString("theme", default: "light") == "dark")
        #expect(flags.getNumber("max-items", default: 10) == 20)
        #expect(flags.getNumber("ratio", default: 10) == 0.5)
        let layout = flags.getJson("home-layout", default: ["columns": 2])
        #expect(layout["columns"] as? Int == 3)
        // As with numbers that JSONSerialization reads.
        #expect(layout["columns"] as? Double == 3)
        #expect(layout["ratio"] as? Double == 1.5)
        #expect(layout["wide"] as? Bool == true)
        let tags = layout["tags"] as? [Any]
        #expect(tags?.first as? String == "a")
        #expect(tags?.last is NSNull)
        let decoded = flags.getJson("home-layout", as: Layout.self, default: Layout(columns: 2))
        #expect(decoded == Layout(columns: 3))
    }

    @Test func gettersGiveTheDefaultForUnknownFlags() async {
        expectDefaults(await Device(Self.values).ready(), of: "unknown")
    }

    @Test(arguments: ["dark-mode", "theme", "max-items", "home-layout"])
    func gettersGiveTheDefaultForFlagsOfAnotherType(key: String) async {
        let flags = await Device(Self.values).ready()
        if key != "dark-mode" { #expect(flags.getBoolean(key, default: true)) }
        if key != "theme" { #expect(flags.getString(key, default: "light") == "light") }
        if key != "max-items" { #expect(flags.getNumber(key, default: 10) == 10) }
        if key != "home-layout" {
            #expect(flags.getJson(key, default: ["columns": 2])["columns"] as? Int == 2)
            #expect(flags.getJson(key, as: Layout.self, default: Layout(columns: 2)).columns == 2)
        }
    }

    @Test func gettersNeverWaitAndGiveTheDefaultBeforeTheFirstValues() async throws {
        let device = Device(Self.values)
        let flags = device.launch()
        expectDefaults(flags, of: "dark-mode")
        device.service.holdNextStart()
        flags.start()
        try await device.service.heldRequest(.start)
        expectDefaults(flags, of: "dark-mode")
        #expect(!flags.isReady)
        device.service.completeStart()
        #expect(await flags.waitUntilReady(timeout: 100))
        #expect(flags.isReady && flags.getBoolean("dark-mode", default: false))
    }

    @Test func typeThatIsNotSendableIsDecodedToo() async {
        final class Box: Decodable {
            let columns: Int
            init(columns: Int) { self.columns = columns }
        }
        let flags = await Device(Self.values).ready()
        #expect(flags.getJson("home-layout", as: Box.self, default: Box(columns: 1)).columns == 3)
        #expect(flags.getJson("theme", as: Box.self, default: Box(columns: 1)).columns == 1)
    }

    @Test func isEnabledOnlyForOnAndVariant() async {
        let device = Device([:])
        device.service.replaceResolutions(Resolutions.all.map(\.resolution))
        let flags = await device.ready()
        for (resolution, reason) in Resolutions.all {
            let isOn = reason == "ON" || reason == "VARIANT"
            #expect(flags.isEnabled(resolution.key) == isOn, "\(resolution.key)")
        }
        #expect(!flags.isEnabled("unknown"))
    }

    private func expectDefaults(_ flags: AbrovaFlags, of key: String) {
        #expect(!flags.isEnabled(key))
        for value in [true, false] { #expect(flags.getBoolean(key, default: value) == value) }
        #expect(flags.getString(key, default: "light") == "light")
        #expect(flags.getNumber(key, default: 10) == 10)
        #expect(flags.getJson(key, default: ["columns": 2])["columns"] as? Int == 2)
        #expect(flags.getJson(key, as: Layout.self, default: Layout(columns: 2)).columns == 2)
    }
}
