import FlagModel

/// Where something is in a definition: `$.flags.new-checkout.variants`, `$.flags["a b"].targeting.if[0]`.
///
/// A chain of steps that becomes text only when there is something to report.
indirect enum JSONPath {
    /// The whole document.
    case root
    case child(JSONPath, name: String)
    case item(JSONPath, index: Int)

    /// The member of a name.
    func member(_ name: String) -> JSONPath { .child(self, name: name) }

    /// The element at an index.
    func element(_ index: Int) -> JSONPath { .item(self, index: index) }
}

extension JSONPath: CustomStringConvertible {
    /// The path as text; unusual names are in brackets and quotes.
    var description: String {
        var steps: [String] = []
        var path = self
        while true {
            switch path {
            case .root:
                return "$" + steps.reversed().joined()
            case .child(let parent, let name):
                steps.append(Self.isPlain(name) ? ".\(name)" : "[\(FlagValue.string(name).jsonText)]")
                path = parent
            case .item(let parent, let index):
                steps.append("[\(index)]")
                path = parent
            }
        }
    }

    private static func isPlain(_ name: String) -> Bool {
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
    }
}
