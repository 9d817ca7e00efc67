import FlagModel
import Testing

@testable import Flagstaff

@Suite struct SealTests {
    private let seal = Seal("flagstaff-test", version: 1)
    private let rest = Array(",\"some text\"]".utf8)

    @Test func sealedFileIsJSONOfItsOwn() throws {
        let bytes = seal.applied(to: rest)
        #expect(seal.isIntact(bytes))
        let value = try JSONParser.parse(bytes)
        #expect(value.arrayValue?.first == "flagstaff-test")
        #expect(value.arrayValue?.last == "some text")
        #expect(Array(bytes[seal.count...]) == rest)
    }

    @Test func noticesEveryTruncation() {
        let bytes = seal.applied(to: rest)
        for count in 0..<bytes.count { #expect(!seal.isIntact(Array(bytes.prefix(count)))) }
        #expect(!seal.isIntact(bytes + [0]))
        #expect(!seal.isIntact(bytes + bytes))
    }

    @Test func noticesEveryFlippedBit() {
        let bytes = seal.applied(to: rest)
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << bit
                #expect(!seal.isIntact(damaged))
            }
        }
    }

    @Test func tellsKindsAndVersionsApart() {
        #expect(!Seal("flagstaff-test", version: 2).isIntact(seal.applied(to: rest)))
        #expect(!Seal("flagstaff-tests", version: 1).isIntact(seal.applied(to: rest)))
        #expect(seal.isIntact(seal.applied(to: [])))
    }
}
