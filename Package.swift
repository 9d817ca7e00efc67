// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "flagstaff",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8)],
    products: [
        .library(name: "Flagstaff", targets: ["Flagstaff"]),
        .library(name: "FlagstaffTesting", targets: ["FlagstaffTesting"]),
        .library(name: "AbrovaFlags", targets: ["AbrovaFlags"]),
        .library(name: "SplitThin", targets: ["SplitThin"]),
        .library(name: "Quonfig", targets: ["Quonfig"]),
        .library(name: "ConfigDirector", targets: ["ConfigDirector"]),
        .library(name: "ConfigDirectorTesting", targets: ["ConfigDirectorTesting"]),
        .executable(name: "flagstaff", targets: ["FlagstaffCommand"]),
    ],
    targets: [
        // The one lock, for systems that lack the standard library's.
        .target(name: "FlagLocking"),
        // Values, context, resolution, wire messages, JSON, SSE: pure, no I/O.
        .target(
            name: "FlagModel",
            // Rounding of doubles comes from libm, which nothing links where Foundation is not imported.
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        // Flag definitions and a context give a resolution: pure, no I/O.
        .target(name: "FlagEvaluation", dependencies: ["FlagModel"]),
        // Atomic loads and stores, for systems that lack the standard library's: inline functions in a header.
        .target(name: "CFlagAtomics"),
        // The native client. Nothing of the service may be reachable from here.
        .target(
            name: "Flagstaff",
            dependencies: ["FlagModel", "FlagLocking", "CFlagAtomics"],
            resources: [.copy("PrivacyInfo.xcprivacy")]),
        // Sockets on the loopback address, for the server of the conformance checks.
        .target(name: "CLoopback"),
        // The client on an in-memory service that a test controls.
        .target(
            name: "FlagstaffTesting", dependencies: ["Flagstaff", "FlagModel", "FlagLocking", "CLoopback"]),

        // The interface of Abrova Flags' SDK 0.2 over the native client.
        .target(
            name: "AbrovaFlags", dependencies: ["Flagstaff", "FlagLocking"],
            resources: [.copy("PrivacyInfo.xcprivacy")]),
        // The API of Split's iOS Thin SDK on the client.
        .target(
            name: "SplitThin", dependencies: ["Flagstaff", "FlagLocking"],
            resources: [.copy("PrivacyInfo.xcprivacy")]),
        // The API of Quonfig's Swift SDK on the client.
        .target(
            name: "Quonfig", dependencies: ["Flagstaff", "FlagLocking"],
            resources: [.copy("PrivacyInfo.xcprivacy")]),
        // The API of ConfigDirector's Swift SDK on the client.
        .target(name: "ConfigDirector", dependencies: ["Flagstaff", "FlagLocking", "CFlagAtomics"]),
        // Its API for tests, on the in-memory service.
        .target(
            name: "ConfigDirectorTesting",
            dependencies: ["ConfigDirector", "FlagstaffTesting", "Flagstaff", "FlagLocking"]),

        // The C library behind the HTTP server.
        .systemLibrary(
            name: "CMicroHTTPD",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
        // HTTP/1.1 over libmicrohttpd: knows nothing of flags, shows no C type.
        .target(name: "HTTPServer", dependencies: ["CMicroHTTPD", "FlagLocking"]),
        // Where definitions come from: the source protocol and its engines.
        .target(name: "FlagStore", dependencies: ["FlagModel", "FlagEvaluation", "FlagLocking"]),
        // Routes, keys, streams.
        .target(
            name: "FlagService",
            dependencies: ["FlagModel", "FlagEvaluation", "FlagStore", "HTTPServer", "FlagLocking"]),
        // The `flagstaff` command. The name differs in more than case from the module `Flagstaff`,
        // because their build folders would be the same one on a case-insensitive disk.
        .executableTarget(
            name: "FlagstaffCommand",
            dependencies: [
                "FlagLocking", "FlagModel", "FlagEvaluation", "FlagStore", "FlagService", "HTTPServer",
                "Flagstaff",
            ]),
        // Measures what the benchmarks compare with other software. No product: `make bench` builds it.
        .executableTarget(
            name: "FlagstaffBench",
            dependencies: [
                "FlagModel", "FlagEvaluation", "Flagstaff", "FlagLocking", "ConfigDirector", "AbrovaFlags",
                "Quonfig", "SplitThin",
            ]),

        .testTarget(name: "FlagModelTests", dependencies: ["FlagModel"]),
        .testTarget(
            name: "FlagEvaluationTests",
            dependencies: ["FlagEvaluation", "FlagModel"],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "FlagstaffTests",
            dependencies: ["Flagstaff", "FlagstaffTesting", "FlagModel", "FlagLocking", "ClientProbe"]),
        // A process for tests to kill and to compete with.
        .executableTarget(
            name: "ClientProbe",
            dependencies: ["Flagstaff", "FlagModel", "FlagLocking"],
            path: "Tests/ClientProbe"),
        .testTarget(
            name: "FlagstaffTestingTests",
            dependencies: ["FlagstaffTesting", "Flagstaff", "FlagModel", "FlagLocking"]),
        .testTarget(
            name: "AbrovaFlagsTests",
            dependencies: [
                "AbrovaFlags", "ServiceStage", "FaultProxy", "FlagstaffTesting", "Flagstaff", "FlagModel",
                "FlagLocking",
            ]),
        .testTarget(
            name: "SplitThinTests",
            dependencies: [
                "SplitThin", "ServiceStage", "FaultProxy", "FlagService", "FlagstaffTesting", "Flagstaff",
                "FlagModel", "FlagLocking",
            ]),
        .testTarget(
            name: "QuonfigTests",
            dependencies: [
                "Quonfig", "ServiceStage", "FaultProxy", "FlagService", "FlagstaffTesting", "Flagstaff",
                "FlagModel", "FlagLocking",
            ]),
        .testTarget(
            name: "ConfigDirectorTests",
            dependencies: [
                "ConfigDirector", "ConfigDirectorTesting", "ServiceStage", "FaultProxy", "FlagService",
                "FlagstaffTesting", "Flagstaff", "FlagModel", "FlagLocking",
            ]),
        // As an app sees it: nothing but the two modules.
        .testTarget(name: "ConfigDirectorTestingTests", dependencies: ["ConfigDirectorTesting"]),
        // A TCP proxy that breaks connections in every way a network does.
        .target(name: "FaultProxy", dependencies: ["FlagLocking"], path: "Tests/FaultProxy"),
        // A real service behind that proxy, for the tests of modules that reach one.
        .target(
            name: "ServiceStage",
            dependencies: [
                "FaultProxy", "FlagService", "FlagStore", "FlagEvaluation", "FlagModel", "FlagLocking",
                "HTTPServer",
            ],
            path: "Tests/ServiceStage"),
        // A client in a process of its own, which tests end.
        .executableTarget(name: "EndToEndClient", dependencies: ["Flagstaff"], path: "Tests/EndToEndClient"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "FaultProxy", "EndToEndClient", "FlagService", "FlagStore", "FlagEvaluation", "FlagModel",
                "FlagLocking",
                "HTTPServer", "Flagstaff",
            ]),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: ["HTTPServer", "FlagLocking"],
            resources: [.copy("Fixtures")]),
        .testTarget(name: "FlagStoreTests", dependencies: ["FlagStore", "FlagEvaluation", "FlagModel"]),
        .testTarget(
            name: "FlagServiceTests",
            dependencies: [
                "FlagService", "FlagStore", "FlagEvaluation", "FlagModel", "FlagLocking", "HTTPServer",
                "Flagstaff",
            ]),
        .testTarget(
            name: "FlagstaffCommandTests",
            dependencies: [
                "FlagstaffCommand", "FlagService", "FlagStore", "FlagEvaluation", "FlagModel", "Flagstaff",
            ],
            resources: [.copy("Fixtures")]),
    ],
    swiftLanguageModes: [.v6]
)

// Every Swift target follows the same rules of the language; those of C are named with a C before a capital.
let cTargets = package.targets.map(\.name).filter {
    $0.hasPrefix("C") && $0.dropFirst().first?.isUppercase == true
}
for target in package.targets where target.type != .system && !cTargets.contains(target.name) {
    target.swiftSettings = [
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
        .enableUpcomingFeature("ExistentialAny"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
        .enableUpcomingFeature("MemberImportVisibility"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
