// swift-tools-version: 6.0
import PackageDescription

// An app that uses the SDK and nothing else: `check.sh` builds it and looks at what came along.
let package = Package(
    name: "consumer",
    platforms: [.macOS(.v12)],
    dependencies: [.package(name: "flagstaff", path: "../..")],
    targets: [
        .executableTarget(name: "Consumer", dependencies: [.product(name: "Flagstaff", package: "flagstaff")])
    ],
    swiftLanguageModes: [.v6]
)
