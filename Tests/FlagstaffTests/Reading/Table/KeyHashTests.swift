import Testing

@testable import Flagstaff

@Suite struct KeyHashTests {
    private let hash = KeyHash(seed: 7)

    private func value(_ text: String, _ kind: ReadKind = .bool, _ hash: KeyHash? = nil) -> UInt64 {
        text.withKeyBytes { (hash ?? self.hash)($0, kind) }
    }

    @Test func everyByteOfEveryLengthCounts() {
        // Lengths around the steps of the function: nothing is read beyond the end, nothing is left out.
        for length in 0...70 {
            let text = String(repeating: "a", count: length)
            #expect(value(text) == value(String(repeating: "a", count: length)))
            #expect(value(text) != value(text + "a"))
            for position in 0..<length {
                var bytes = Array(text.utf8)
                bytes[position] = UInt8(ascii: "b")
                #expect(value(String(decoding: bytes, as: UTF8.self)) != value(text))
            }
        }
    }

    @Test func kindsAndSeedsChangeIt() {
        #expect(Set(ReadKind.allCases.map { value("new-checkout", $0) }).count == ReadKind.allCases.count)
        #expect(value("new-checkout") != value("new-checkout", .bool, KeyHash(seed: 8)))
    }

    @Test func neverZero() {
        #expect(value("") != 0)
    }

    @Test func numberedKeysAreSpreadLikeRandomOnes() {
        let count = 4096
        for keep in [{ (hash: UInt64) in hash >> 8 }, { (hash: UInt64) in hash >> 40 }] {
            var buckets = [Int](repeating: 0, count: count)
            for index in 0..<count { buckets[Int(keep(value("feature-\(index)")) % UInt64(count))] += 1 }
            // Random ones leave a bucket empty with the probability 1/e and put more than 9 into one almost never.
            #expect((1300...1720).contains(buckets.filter { $0 == 0 }.count))
            #expect((buckets.max() ?? 0) < 10)
        }
    }
}
