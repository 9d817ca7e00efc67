import FlagModel
import Foundation
import Testing

@testable import Flagstaff

@Suite struct FlagKeyTests {
    @Test func literalsAreKnownByTheirPlaceInTheProgram() {
        let key = FlagKey("new-checkout", default: false)
        guard case .literal = key.storedName else {
            Issue.record("a literal was taken for a text")
            return
        }
        #expect(key.name == "new-checkout")
        #expect(FlagKey("x", default: 1).name == "x")
        #expect(FlagKey("", default: 1).name == "")
        #expect(FlagKey("кл\u{e9}ч", default: 1).name.utf8.elementsEqual("кл\u{e9}ч".utf8))
    }

    @Test func namesKnownOnlyWhenTheProgramRunsAreTexts() {
        let name = "new-" + String(5)
        guard case .text = FlagKey(name, default: false).storedName else {
            Issue.record("a text was taken for a literal")
            return
        }
        #expect(FlagKey("new-\(5)", default: false).name == "new-5")
    }

    @Test func equalNamesAndDefaultsMakeEqualKeys() {
        let name = "new-" + "checkout"
        #expect(FlagKey("new-checkout", default: 1) == FlagKey(name, default: 1))
        #expect(FlagKey("new-checkout", default: 1) != FlagKey(name, default: 2))
        #expect(FlagKey("new-checkout", default: 1) != FlagKey("other", default: 1))
        #expect(FlagKey("new-checkout", default: 1).hashValue == FlagKey(name, default: 1).hashValue)
    }

    @Test func clientReadsByKeysOfAllTypes() throws {
        let fixture = try ClientFixture()
        let client = fixture.client
        client.serve([
            FlagResolution(key: "b", value: true, reason: .static),
            FlagResolution(key: "i", value: 7, reason: .static),
            FlagResolution(key: "d", value: 2.5, reason: .static),
            FlagResolution(key: "s", value: "dark", reason: .static),
        ])
        for _ in 0..<2 {
            #expect(client[FlagKey("b", default: false)])
            #expect(client[FlagKey("i", default: 0)] == 7)
            #expect(client[FlagKey("d", default: 0.0)] == 2.5)
            #expect(client[FlagKey("s", default: "")] == "dark")
            #expect(client[FlagKey("s", default: Theme.light)] == .dark)
            #expect(client[FlagKey("b" + "", default: false)])
            #expect(client[FlagKey("i" + "", default: 0)] == 7)
            #expect(client[FlagKey("d" + "", default: 0.0)] == 2.5)
            #expect(client[FlagKey("s" + "", default: "")] == "dark")
            #expect(client[FlagKey("none", default: 3)] == 3)
        }
        #expect(client.drainReads().reduce(0) { $0 + $1.count } == 20)
    }

    @Test func readsOfAClientAreCountedAlsoThroughItsProtocol() throws {
        let fixture = try ClientFixture()
        fixture.client.serve([FlagResolution(key: "b", value: true, reason: .static)])
        let reader: any FlagReader = fixture.client
        #expect(reader.isEnabled("b"))
        #expect(reader.value(for: "b", default: false))
        #expect(reader.value(for: "b", default: 3) == 3)
        #expect(reader.value(for: "b", default: 0.5) == 0.5)
        #expect(reader.value(for: "b", default: "none") == "none")
        #expect(reader.value(for: "b", default: FlagValue.null) == true)
        #expect(reader.value(for: "b", as: [String: Int].self, default: [:]) == [:])
        #expect(reader[FlagKey("b", default: false)])
        #expect(!reader.evaluation(of: "b", default: false).isDefault)
        #expect(generic(fixture.client))
        #expect(fixture.client.drainReads().reduce(0) { $0 + $1.count } == 10)
        // A snapshot's reads are not counted.
        #expect(fixture.client.snapshot.isEnabled("b"))
        #expect(fixture.client.drainReads().isEmpty)
    }

    private func generic(_ reader: some FlagReader) -> Bool { reader.isEnabled("b") }

    private enum Theme: String, FlagConvertible {
        case light
        case dark
    }
}
