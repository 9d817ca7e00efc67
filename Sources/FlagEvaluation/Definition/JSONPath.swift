import FlagModel

/// Where something is in a definition: `$.flags.new-checkout.variants`, `$.flags["a b"].targeting.if[0]`.
struct JSONPath: CustomStringConvertible {
    let description: String

    /// The whole document.
    static let root = JSONPath(description: "$")

    /// The member of a name. Unusual names are written in brackets and quotes.
    func member(_ name: String) -> JSONPath {
        let isPlain =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                    UInt8(ascii: "$"):
                    true
                default:
                    false
                }
            }
        return JSONPath(
            description: isPlain ? "\(description).\(name)" : "\(description)[\(FlagValue.string(name))]")
    }

    /// The element at an index.
    func element(_ index: Int) -> JSONPath {
        JSONPath(description: "\(description)[\(index)]")
    }
}
