import FlagModel
import Flagstaff
import Foundation

/// 1,000 flags of four types, with keys of the kind that people give them.
enum BenchmarkFlags {
    /// The types, in turn.
    enum Kind: Int {
        case bool
        case int
        case double
        case string
    }

    /// The keys.
    static let keys = (0..<1000).map { index in
        "\(areas[index % areas.count])-\(subjects[index / areas.count % subjects.count])-\(index)"
    }

    /// The flags.
    static let resolutions = keys.enumerated().map { index, key in
        let value: FlagValue =
            switch Kind(rawValue: index % 4) {
            case .bool, nil: .bool(index % 8 == 0)
            case .int: .int(Int64(index))
            case .double: .double(Double(index) / 4)
            case .string:
                .string(index % 8 == 3 ? "blue" : "a text of more than fifteen bytes, number \(index)")
            }
        return FlagResolution(
            key: key, value: value, variant: "variant-\(index % 3)", reason: .targetingMatch,
            metadata: ["flagSetId": "web", "version": .int(Int64(index))])
    }

    /// The keys of the flags of one type, repeated to 1,000.
    static func keys(of kind: Kind) -> [String] {
        let some = keys.enumerated().filter { $0.offset % 4 == kind.rawValue }.map(\.element)
        return (0..<1000).map { some[$0 % some.count] }
    }

    /// A client that serves them.
    ///
    /// - Parameter change: Changes the configuration.
    /// - Returns: The client.
    /// - Throws: What is wrong with the configuration.
    static func client(_ change: (inout FlagClientConfiguration) -> Void = { _ in }) throws -> FlagClient {
        var components = URLComponents()
        components.scheme = "http"
        components.host = "127.0.0.1"
        var configuration = FlagClientConfiguration(
            endpoint: components.url ?? URL(fileURLWithPath: "/"), key: "key")
        change(&configuration)
        let flags = try FlagClient(configuration)
        flags.serve(resolutions)
        return flags
    }

    private static let areas = [
        "checkout", "search", "profile", "onboarding", "payments", "feed", "chat", "media",
    ]
    private static let subjects = [
        "new-flow", "retry-limit", "theme", "show-banner", "page-size", "use-cache", "timeout", "headline",
    ]
}

/// An enum of the app's own.
enum BenchmarkTheme: String, FlagConvertible {
    case light
    case blue
}

extension FlagKey<Bool> {
    static var bool0: Self { Self("checkout-new-flow-0", default: false) }
    static var bool1: Self { Self("payments-new-flow-4", default: false) }
    static var bool2: Self { Self("checkout-retry-limit-8", default: false) }
    static var bool3: Self { Self("payments-retry-limit-12", default: false) }
}

extension FlagKey<Int> {
    static var int0: Self { Self("search-new-flow-1", default: 0) }
    static var int1: Self { Self("feed-new-flow-5", default: 0) }
}

extension FlagKey<Double> {
    static var double0: Self { Self("profile-new-flow-2", default: 0) }
    static var double1: Self { Self("chat-new-flow-6", default: 0) }
}

extension FlagKey<String> {
    static var string0: Self { Self("onboarding-new-flow-3", default: "none") }
}
