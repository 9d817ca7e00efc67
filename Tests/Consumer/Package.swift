// swift-tools-version: 6.0
import PackageDescription

// Apps that use the SDK and nothing else: `check.sh` builds them and looks at what came along.
let package = Package(
    name: "consumer",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8)],
    dependencies: [.package(name: "flagstaff", path: "../..")],
    targets: [
        .executableTarget(
            name: "Consumer", dependencies: [.product(name: "Flagstaff", package: "flagstaff")]),
        // The samples of the article "SwiftUI".
        .executableTarget(
            name: "SwiftUIApp", dependencies: [.product(name: "Flagstaff", package: "flagstaff")]),
        // Apps that were written for other SDKs, with the modules that stand in for them.
        .executableTarget(
            name: "ConfigDirectorApp",
            dependencies: [.product(name: "ConfigDirector", package: "flagstaff")]),
        .executableTarget(
            name: "SplitThinApp", dependencies: [.product(name: "SplitThin", package: "flagstaff")]),
        .executableTarget(
            name: "QuonfigApp", dependencies: [.product(name: "Quonfig", package: "flagstaff")]),
        .executableTarget(
            name: "AbrovaFlagsApp", dependencies: [.product(name: "AbrovaFlags", package: "flagstaff")]),
        .executableTarget(
            name: "AbrovaFlagsViews", dependencies: [.product(name: "AbrovaFlags", package: "flagstaff")]),
        .executableTarget(
            name: "ConfigDirectorViews",
            dependencies: [.product(name: "ConfigDirector", package: "flagstaff")]),
    ],
    swiftLanguageModes: [.v6]
)
