import FlagModel

/// The first bytes of a stored file: what it is, in which form, and a digest of all that follows.
///
/// `["flagstaff-snapshot",1,"<digest>"` and then the rest, which continues the list. Any byte that is missing, added or
/// another than was written is noticed.
struct Seal {
    private let beginning: [UInt8]

    /// The seal of a kind of file.
    ///
    /// - Parameters:
    ///   - kind: The kind's name, fit for JSON as it is.
    ///   - version: The version of its form.
    init(_ kind: String, version: Int) {
        beginning = Array("[\"\(kind)\",\(version),\"".utf8)
    }

    /// How many bytes precede the rest.
    var count: Int { beginning.count + 33 }

    /// The whole file of a rest.
    func applied(to rest: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + rest.count)
        bytes += beginning
        bytes += Fingerprint(of: rest).hexadecimal
        bytes.append(UInt8(ascii: "\""))
        bytes += rest
        return bytes
    }

    /// Whether a file is of this kind and form and just as it was written.
    func isIntact(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= count, bytes.starts(with: beginning), bytes[count - 1] == UInt8(ascii: "\"")
        else {
            return false
        }
        let digest = bytes.withUnsafeBytes { Fingerprint(of: UnsafeRawBufferPointer(rebasing: $0[count...])) }
        return bytes[beginning.count..<(count - 1)].elementsEqual(digest.hexadecimal)
    }
}
