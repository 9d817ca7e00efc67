import FlagModel
import FlagstaffTesting
import Foundation
import Testing

@testable import AbrovaFlags

@Suite(.timeLimit(.minutes(1))) struct AbrovaFlagsDetailsTests {
    @Test func reasonsAreThoseOfTheTable() async {
        let device = Device([:])
        device.service.replaceResolutions(Resolutions.all.map(\.resolution))
        let flags = await device.ready()
        for (resolution, reason) in Resolutions.all {
            let detail = flags.getDetail(resolution.key, default: "default")
            #expect(detail.reason == reason, "\(resolution.key)")
            #expect(detail.enabled == (reason == "ON" || reason == "VARIANT"), "\(resolution.key)")
            #expect(detail.enabled == flags.isEnabled(resolution.key), "\(resolution.key)")
            #expect(detail.variant == resolution.variant, "\(resolution.key)")
            if resolution.errorCode == nil { #expect(detail.version == 7, "\(resolution.key)") }
            if resolution.value == nil { #expect(detail.value as? String == "default") }
        }
    }

    @Test func valuesComeWithTheirVariantAndVersion() async {
        let device = Device([:])
        device.service.replaceResolutions([
            FlagResolution(
                key: "theme", value: "dark", variant: "night", reason: .split, metadata: ["version": 12]),
            FlagResolution(key: "text-version", value: 2.5, reason: .static, metadata: ["version": "v2"]),
            FlagResolution(key: "layout", value: ["columns": 3], reason: .static),
            FlagResolution(key: "beta", value: true, variant: "on", reason: .targetingMatch),
        ])
        let flags = await device.ready()
        #expect(
            flags.stringDetail("theme", default: "light")
                == FlagDetail(value: "dark", enabled: true, variant: "night", reason: "VARIANT", version: 12))
        #expect(
            flags.numberDetail("text-version", default: 1)
                == FlagDetail(value: 2.5, enabled: true, reason: "VARIANT"))
        #expect(
            flags.booleanDetail("beta", default: false)
                == FlagDetail(value: true, enabled: true, variant: "on", reason: "ON"))
        let layout = flags.jsonDetail("layout", default: [:])
        #expect(layout.value["columns"] as? Int == 3)
        #expect(layout.reason == .variant)
    }

    @Test func typesAreCheckedExceptByGetDetail() async {
        let device = Device(["theme": "dark", "list": [1, 2]])
        let flags = await device.ready()
        let wrong = flags.booleanDetail("theme", default: true)
        #expect(wrong == FlagDetail(value: true, enabled: false, reason: "TYPE_MISMATCH"))
        #expect(flags.numberDetail("theme", default: 4).value == 4)
        #expect(flags.stringDetail("list", default: "x").reason == .typeMismatch)
        #expect(flags.jsonDetail("list", default: ["a": 1]).reason == .typeMismatch)
        let stored = flags.getDetail("theme", default: 4)
        #expect(stored.value as? String == "dark")
        #expect(stored.reason == .variant)
        #expect((flags.getDetail("list", default: 4).value as? [Any])?.count == 2)
    }

    @Test func unknownFlagsAndThoseOfBeforeTheFirstValuesSaySo() async {
        let device = Device()
        let flags = device.launch()
        let early = flags.stringDetail("theme", default: "light")
        #expect(early == FlagDetail(value: "light", enabled: false, reason: "NOT_READY"))
        flags.start()
        _ = await flags.waitUntilReady(timeout: 100)
        let unknown = flags.stringDetail("theme", default: "light")
        #expect(unknown == FlagDetail(value: "light", enabled: false, reason: "NOT_FOUND"))
        #expect(flags.getDetail("theme", default: 4).reason == .notFound)
    }

    @Test func reasonsAreThoseOfTheFlagWhileOtherAttributesAreOnTheirWay() async throws {
        let device = Device([:])
        device.service.replaceResolutions(Resolutions.all.map(\.resolution))
        let flags = await device.ready()
        flags.setAttributes(["plan": "pro"])
        for (resolution, reason) in Resolutions.all {
            #expect(flags.getDetail(resolution.key, default: 0).reason == reason, "\(resolution.key)")
        }
    }
}
