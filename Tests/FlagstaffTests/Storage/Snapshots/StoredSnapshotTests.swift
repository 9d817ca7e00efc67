import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite struct StoredSnapshotTests {
    private let context = FlagContext(key: "user-1", attributes: ["plan": "pro"])
    private var digest: String { StoredSnapshot.digest(of: context, flagSets: []) }

    private func snapshot(_ resolutions: [FlagResolution], etag: String? = "\"e\"") -> FlagSnapshot {
        FlagSnapshot.empty.replaced(
            by: BulkEvaluation(flags: resolutions, metadata: ["revision": 7, "ratio": 1.0]), etag: etag,
            context: context, time: Date(timeIntervalSince1970: 1_800_000_000.25))
    }

    private func read(_ bytes: [UInt8]) -> FlagSnapshot? {
        StoredSnapshot.snapshot(from: bytes, context: context, contextDigest: digest)
    }

    /// Every kind of value and of resolution.
    private static let resolutions: [FlagResolution] = {
        let values: [FlagValue] = [
            true, false, 0, 1, 1.0, -1, .int(.max), .int(.min), .int(9_007_199_254_740_993), 0.1, -0.0, 1e300,
            .double(.leastNonzeroMagnitude),
            .double(.greatestFiniteMagnitude), "", "text", "Grüße \u{1F3F3}\u{FE0F} \"quoted\" \\ \n\0",
            "e\u{301}", "é",
            [], [:], .null, [.null, 1, 1.0, [["deep": [.null]]]],
            ["a": 1, "b": 1.0, "c": .null, "": ["x": []], "é": true],
        ]
        var resolutions = values.enumerated().map { index, value in
            FlagResolution(key: "flag-\(index)", value: value, variant: "v\(index)", reason: .static)
        }
        resolutions += [
            FlagResolution(key: "none", reason: .disabled),
            FlagResolution(key: "odd \"key\"\n", value: 1, variant: "", reason: FlagReason(rawValue: "OWN")),
            FlagResolution(
                key: "failed", reason: .error, errorCode: FlagErrorCode(rawValue: "OWN_CODE"),
                errorDetails: ""),
            FlagResolution(
                key: "meta", value: false, reason: .targetingMatch, errorDetails: "details",
                metadata: ["flagSetId": "a,b", "version": 3, "ratio": 3.0, "list": [1]]),
        ]
        return resolutions
    }()

    @Test func everythingSurvivesExactly() throws {
        let before = snapshot(Self.resolutions)
        let after = try #require(read(StoredSnapshot.bytes(of: before, contextDigest: digest)))
        #expect(after.resolutions == before.resolutions)
        // Equality passes over the sign of zero.
        #expect(after.resolutions["flag-10"]?.value == .double(-0.0))
        if case .double(let zero)? = after.resolutions["flag-10"]?.value { #expect(zero.sign == .minus) }
        #expect(after.metadata == ["revision": 7, "ratio": 1.0])
        #expect(after.etag == "\"e\"")
        #expect(after.updated == before.updated)
        #expect(after.context == context)
        #expect(after.isReady && !after.isStale)
        #expect(after.origin(of: "flag-0") == .cache)
    }

    @Test func setWithoutFlagsOrTagSurvives() throws {
        let after = try #require(
            read(StoredSnapshot.bytes(of: snapshot([], etag: nil), contextDigest: digest)))
        #expect(after.resolutions.isEmpty)
        #expect(after.etag == nil)
        #expect(after.isReady)
    }

    @Test func valuesMayNestAsDeepAsAnAnswerAllows() throws {
        var value: FlagValue = 1
        // An answer's own three levels are part of the limit for answers.
        for _ in 0..<125 { value = [value] }
        let before = snapshot([FlagResolution(key: "deep", value: value, reason: .static)])
        #expect(
            read(StoredSnapshot.bytes(of: before, contextDigest: digest))?.resolutions == before.resolutions)
    }

    @Test func fileIsJSONWithoutTheContext() throws {
        let bytes = StoredSnapshot.bytes(of: snapshot(Self.resolutions), contextDigest: digest)
        let object = try JSONSerialization.jsonObject(with: Data(bytes))
        #expect((object as? [Any])?.count == 4)
        let text = String(decoding: bytes, as: UTF8.self)
        for secret in ["user-1", "plan", "pro\""] { #expect(!text.contains(secret)) }
    }

    @Test func leavesOutWhatDidNotComeFromTheServiceAndThenTheTag() throws {
        let mixed = FlagSnapshot(
            contents: FlagSnapshot.Contents(
                context: context,
                resolutions: [
                    "own": FlagResolution(key: "own", value: 1, reason: .static),
                    "built-in": FlagResolution(key: "built-in", value: 1, reason: .static),
                    "served": FlagResolution(key: "served", value: 1, reason: .static),
                ], metadata: [:], etag: "e", version: 1, updated: Date(timeIntervalSince1970: 1),
                isStale: false,
                origins: ["own": .override, "built-in": .bootstrap]))
        let after = try #require(read(StoredSnapshot.bytes(of: mixed, contextDigest: digest)))
        #expect(after.keys == ["served"])
        #expect(after.etag == nil)
    }

    @Test func numbersThatJSONCannotExpressAreLeftOut() throws {
        let before = snapshot([
            FlagResolution(key: "nan", value: .double(.nan), reason: .static),
            FlagResolution(key: "inside", value: [["x": .double(.infinity)]], reason: .static),
            FlagResolution(key: "meta", value: 1, reason: .static, metadata: ["m": .double(.nan)]),
            FlagResolution(key: "fine", value: 1.5, reason: .static),
        ])
        let after = try #require(read(StoredSnapshot.bytes(of: before, contextDigest: digest)))
        #expect(after.keys == ["fine"])
        #expect(after.etag == nil)
    }

    @Test func everyTruncationIsAMiss() {
        let bytes = StoredSnapshot.bytes(of: snapshot(Self.resolutions), contextDigest: digest)
        for count in 0..<bytes.count { #expect(read(Array(bytes.prefix(count))) == nil) }
        #expect(read(bytes + [0x20]) == nil)
    }

    @Test func everyFlippedByteIsAMiss() {
        let bytes = StoredSnapshot.bytes(of: snapshot(Self.resolutions), contextDigest: digest)
        for index in bytes.indices {
            for flip in [0x01, 0x20, 0x80, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[index] ^= flip
                #expect(read(damaged) == nil)
            }
        }
    }

    /// Files that are sealed as they should be, and say something else than a snapshot.
    @Test(arguments: [
        "]", ",1]", ",{}]", ",[]]", ",{\"contextDigest\":1}]", ",{\"flags\":[]}]", "", "nonsense",
        ",{\"contextDigest\":\"DIGEST\",\"updated\":1,\"metadata\":{},\"flags\":[]}]",
        ",{\"contextDigest\":\"DIGEST\",\"updated\":1.0,\"metadata\":[],\"flags\":[]}]",
        ",{\"contextDigest\":\"DIGEST\",\"updated\":1.0,\"metadata\":{},\"flags\":{}}]",
        ",{\"contextDigest\":\"DIGEST\",\"updated\":1.0,\"metadata\":{},\"flags\":[1]}]",
        ",{\"contextDigest\":\"DIGEST\",\"updated\":1.0,\"metadata\":{},\"flags\":[[]]}]",
        ",{\"contextDigest\":\"DIGEST\",\"updated\":1.0,\"metadata\":{},\"flags\":[[1,2,3,4,5,6]]}]",
        ",{\"contextDigest\":\"DIGEST\",\"updated\":1.0,\"metadata\":{},"
            + "\"flags\":[[\"k\",\"R\",null,null,null,{},1,2]]}]",
        ",{\"contextDigest\":\"other\",\"updated\":1.0,\"metadata\":{},\"flags\":[]}]",
    ]) func anotherFormIsAMiss(rest: String) {
        let text = rest.replacingOccurrences(of: "DIGEST", with: digest)
        #expect(read(StoredSnapshot.seal.applied(to: Array(text.utf8))) == nil)
    }

    @Test func contextsHaveDigestsOfTheirOwn() {
        let contexts = [
            FlagContext(), FlagContext(key: ""), FlagContext(key: "a"), FlagContext(key: "é"),
            FlagContext(key: "e\u{301}"), FlagContext(key: "a", bucketingKey: "a"),
            FlagContext(key: "a", isAnonymous: true), FlagContext(key: "a", attributes: ["n": 1]),
            FlagContext(key: "a", attributes: ["n": true]), FlagContext(key: "a", attributes: ["n": 1.0]),
        ]
        let digests = contexts.map { StoredSnapshot.digest(of: $0, flagSets: []) }
        #expect(Set(digests).count == contexts.count)
        #expect(
            StoredSnapshot.digest(of: FlagContext(attributes: ["a": 1, "b": 2]), flagSets: ["x", "y"])
                == StoredSnapshot.digest(
                    of: FlagContext(attributes: ["b": 2, "a": 1]), flagSets: ["y", "x"]))
        #expect(
            StoredSnapshot.digest(of: context, flagSets: ["x"])
                != StoredSnapshot.digest(of: context, flagSets: []))
    }
}
