import FlagModel
import Testing

@testable import Flagstaff

@Suite struct FlagMetadataTests {
    @Test func versionIsTextOrANumber() {
        #expect(FlagMetadata.version(in: ["version": "1.2.3"]) == "1.2.3")
        #expect(FlagMetadata.version(in: ["version": 7]) == "7")
        #expect(FlagMetadata.version(in: ["version": 1.5]) == "1.5")
        #expect(FlagMetadata.version(in: ["flagVersion": 3]) == "3")
        #expect(FlagMetadata.version(in: ["version": "2", "flagVersion": 3]) == "2")
        #expect(FlagMetadata.version(in: ["version": "", "flagVersion": 3]) == "3")
        #expect(FlagMetadata.version(in: ["version": true]) == nil)
        #expect(FlagMetadata.version(in: [:]) == nil)
    }

    @Test func setsAreNamedOneByOneOrInAList() {
        #expect(FlagMetadata.flagSets(in: ["flagSetId": "web"], common: [:]) == ["web"])
        #expect(FlagMetadata.flagSets(in: ["flagSets": " web, app ,web,,"], common: [:]) == ["app", "web"])
        #expect(
            FlagMetadata.flagSets(in: ["flagSetId": "tv", "flagSets": "app"], common: ["flagSetId": "x"])
                == ["app", "tv"])
    }

    @Test func flagWithoutASetIsInTheCommonOne() {
        #expect(FlagMetadata.flagSets(in: ["a": 1], common: ["flagSetId": "web"]) == ["web"])
        #expect(FlagMetadata.flagSets(in: ["flagSetId": ""], common: [:]) == [])
        #expect(FlagMetadata.flagSets(in: ["flagSetId": 5], common: [:]) == [])
    }
}
