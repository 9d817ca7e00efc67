import Foundation
import Testing

@testable import Flagstaff

/// The privacy manifest is in the bundle, and says of the system's guarded interfaces exactly those that are used.
@Suite struct PrivacyManifestTests {
    private let manifest: [String: Any]

    init() throws {
        let url = try #require(Bundle.module.url(forResource: "PrivacyInfo", withExtension: "xcprivacy"))
        let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
        manifest = try #require(list as? [String: Any])
    }

    /// What needs a reason, by category: the names that stand for it in source code.
    private static let guarded: [String: [String]] = [
        "FileTimestamp": [
            "stat(", "fstat(", "lstat(", "fstatat(", "getattrlist", "creationDate", "modificationDate",
            "contentModificationDateKey", "creationDateKey", "fileModificationDate",
        ],
        "SystemBootTime": ["systemUptime", "mach_absolute_time", "mach_continuous_time"],
        "DiskSpace": [
            "volumeAvailableCapacity", "volumeTotalCapacity", "systemFreeSize", "systemSize", "statfs(",
            "statvfs(",
        ],
        "UserDefaults": ["UserDefaults", "NSUserDefaults", "AppStorage", "CFPreferences"],
        "ActiveKeyboards": ["activeInputModes"],
    ]

    @Test func listsTheGuardedInterfacesThatTheSourcesUse() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        var used: Set<String> = []
        var count = 0
        for target in ["Flagstaff", "FlagModel", "FlagLocking", "CFlagAtomics"] {
            let folder = root.appendingPathComponent("Sources/\(target)")
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            for case let file as URL in try #require(files)
            where ["swift", "c", "h"].contains(file.pathExtension) {
                count += 1
                let code = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                    .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
                for (category, names) in Self.guarded
                where code.contains(where: { line in names.contains { line.contains($0) } }) {
                    used.insert(category)
                }
            }
        }
        #expect(count > 50)

        let types = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        let prefix = "NSPrivacyAccessedAPICategory"
        let listed = types.compactMap { ($0["NSPrivacyAccessedAPIType"] as? String)?.dropFirst(prefix.count) }
        #expect(Set(listed.map(String.init)) == used)
        #expect(listed.count == used.count)
        let reasons = types.flatMap { $0["NSPrivacyAccessedAPITypeReasons"] as? [String] ?? [] }
        #expect(reasons == ["C617.1"])
    }

    @Test func saysWhatIsCollectedAndThatNobodyIsTracked() throws {
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        #expect((manifest["NSPrivacyTrackingDomains"] as? [Any])?.isEmpty == true)
        let collected = try #require(manifest["NSPrivacyCollectedDataTypes"] as? [[String: Any]])
        #expect(
            collected.compactMap { $0["NSPrivacyCollectedDataType"] as? String }
                == ["NSPrivacyCollectedDataTypeOtherUsageData"])
        for type in collected {
            #expect(type["NSPrivacyCollectedDataTypeLinked"] as? Bool == false)
            #expect(type["NSPrivacyCollectedDataTypeTracking"] as? Bool == false)
            #expect((type["NSPrivacyCollectedDataTypePurposes"] as? [String])?.isEmpty == false)
        }
    }
}
