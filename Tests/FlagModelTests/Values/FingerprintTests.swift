import FlagModel
import Testing

@Suite struct FingerprintTests {
    /// The digests of the bytes 0, 1, 2, … up to each length, as the reference implementation gives them.
    private static let digestsByLength = [
        "00000000000000000000000000000000",
        "4610abe56eff5cb551622daa78f83583",
        "7cb3f5c58dab264cf03c01326ec2e044",
        "b872a12fef53e6befb6255c252b396b6",
        "e1c594ae0ddfaf10d3d605bd13c2fde2",
        "41ee8cd4a6f94036f8d0155e630c23f6",
        "66983abba4f5043c57e0240b16512ca0",
        "bd4c6987ca4b0d68613addd4bd25c787",
        "47a7e1bdd68e2fc860e6ee02ec31dcc7",
        "fbb4cb0f6e812d3278de751d0200ffb9",
        "cfca25e89e58e463254313c472ad2076",
        "c57b4f47c7564f886965ea8d20711bb0",
        "b35da7e69212a5ca8075f146ecf75346",
        "4b52d9f2c55f41c284ff869eafa6d8fc",
        "5fa933ee35906d640d782573380fc9df",
        "47231598fd4925e9cd846dee88c67de9",
        "444924b591903f30ab906456762fe845",
        "5c76f40f9fe7c20ec15f026b9edaa824",
        "1648e4d1bae9c47bce2684180bb9eb5f",
        "a665a45564a30163954f7960bfae1fdc",
        "a3d253705736954b5a1f06256c7b9c7a",
        "cdd13da028d412036bc50efc2da2e7cb",
        "45f8f3bf27c12a711730a373601e5662",
        "b9a1376f153581db26451c93b42a4941",
        "734e846275b2dfde94707eabbbfb9e52",
        "3bbe7cb52ee982cba2d35433beef9ffc",
        "a515dcfe02226f722e0c68dcfcc47d78",
        "111602884d592eed28741948dc1db519",
        "dc14ff62ee05813c662050bb4567cb8b",
        "aae494b11518cf1a649e12f78ccfe176",
        "f069080d38a201e322f3687fe3d26b19",
        "053dd3e1a32cd0949ee59aefb4005490",
        "c66d9022b62f500f1c050a6e34c31151",
    ]

    @Test func matchesTheReferenceAtEveryLengthOfTail() {
        for (length, digest) in Self.digestsByLength.enumerated() {
            #expect(Fingerprint(of: (0..<length).map(UInt8.init)).description == digest, "\(length) bytes")
        }
    }

    @Test(arguments: [
        ("", "00000000000000000000000000000000"),
        ("a", "85555565f6597889e6b53a48510e895a"),
        ("hello", "cbd8a7b341bd9b025b1e906a48ae1d19"),
        ("0123456789abcdef0", "eb24ae8785a5c07573fb68b3313128ca"),
        ("Grüße 🚩", "cb9ec216e0c825499c78e5c0fd0c1919"),
    ])
    func digestsTextByItsUTF8(text: String, digest: String) {
        #expect(Fingerprint(of: text).description == digest)
    }

    @Test func digestsBytesAtAnyAlignment() {
        let bytes = (0..<31).map { UInt8($0 * 7) }
        for offset in 0..<16 {
            let shifted = [UInt8](repeating: 0xAA, count: offset) + bytes
            let digest = shifted.withUnsafeBytes {
                Fingerprint(of: UnsafeRawBufferPointer(rebasing: $0[offset...]))
            }
            #expect(digest.description == "b2fafb5593c2984bd8c8cb7a2b8c37b1", "offset \(offset)")
        }
    }

    @Test func digestsAValueByItsCanonicalJSON() throws {
        let value: FlagValue = ["b": [true, nil, "x"], "a": 1]
        #expect(Fingerprint(of: value).description == "c3fe007a8d9b9d042dbe6aadb9e61982")
        let reordered = try FlagValue(json: #" { "a" : 1 , "b" : [ true, null, "\u0078" ] } "#)
        #expect(Fingerprint(of: reordered) == Fingerprint(of: value))
    }

    @Test func tellsKindsOfValuesApart() {
        let values: [FlagValue] = [
            1, 1.0, true, "1", [1], "true", nil, "null", ["1": 1], "caf\u{E9}", "cafe\u{301}",
        ]
        #expect(Set(values.map { Fingerprint(of: $0) }).count == values.count)
    }

    @Test func combinesInOrder() {
        let a = Fingerprint(of: "a")
        let b = Fingerprint(of: "b")
        #expect(a.combined(with: b).description == "f934ab9bb72913ae2ff9f71567ece291")
        #expect(a.combined(with: b) != b.combined(with: a))
    }

    @Test func writesBothHalvesWithLeadingZeros() {
        #expect(Fingerprint(high: 1, low: 0xAB).description == "000000000000000100000000000000ab")
    }
}
