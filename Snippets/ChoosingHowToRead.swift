// The samples of the article "Choosing how to read".

import Flagstaff
import Foundation

extension FlagKey<Bool> {
    static var newCheckout: Self { Self("new-checkout", default: false) }
}

extension FlagKey<Int> {
    static var pageSize: Self { Self("page-size", default: 20) }
}

enum Theme: String, FlagConvertible { case light, dark }

struct Size: FlagConvertible {
    var width: Int

    init?(flagValue: FlagValue) {
        guard let width = flagValue["width"]?.intValue else { return nil }
        self.width = Int(width)
    }

    init(width: Int) { self.width = width }
}

struct Banner: Decodable {
    var title: String
    var link: URL
    var until: Date?
}

func read(_ flags: FlagClient) {
    if flags[.newCheckout] { print("the new checkout") }
    let pageSize = flags[.pageSize]

    let isOn = flags.isEnabled("new-checkout")
    let limit = flags.value(for: "max-items", default: 20)
    let ratio = flags.value(for: "sample-ratio", default: 0.1)
    let title = flags.value(for: "title", default: "Welcome")

    let theme = flags.value(for: "theme", default: Theme.light)
    let size = flags.value(for: "size", default: Size(width: 320))
    let banner = flags.value(for: "banner", as: Banner?.self, default: nil)

    print(pageSize, isOn, limit, ratio, title, theme, size, banner as Any)
}

func explain(_ flags: FlagClient) {
    let evaluation = flags.evaluation(of: "banner", as: Banner?.self, default: nil)
    if evaluation.isDefault { print(evaluation.reason, evaluation.errorDetails ?? "") }
    print(evaluation.version ?? "-", evaluation.origin, evaluation.flagSets, evaluation.valueID ?? "-")
}

func layOut(_ flags: FlagClient) {
    let now = flags.snapshot
    let columns = now.evaluation(of: "columns", default: 2)
    let gap = now.value(for: "gap", default: 8.0)
    print(columns.value, gap)
    flags.recordRead(of: columns)
}

func list(_ flags: FlagClient) {
    for name in flags.names { print(name) }
    for flag in flags.flags(inSets: ["web"]) { print(flag.key, flag.value ?? .null) }
}

func pass(_ flags: FlagClient) async {
    for await read in flags.evaluations where !read.isDefault {
        print("exposure", read.key, read.variant ?? "-", read.context?.targetingKey ?? "-")
    }
}

let flags = try FlagClient(.init(endpoint: URL(string: "http://127.0.0.1:8080")!))
read(flags)
explain(flags)
layOut(flags)
list(flags)
await flags.close()
await pass(flags)
