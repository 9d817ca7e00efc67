import FlagstaffTesting
import Foundation
import Testing

@Suite struct ReportedTelemetryTests {
    private static let batch = """
        {"id": "7f3f0c9e-5a4e-4d55-9d1e-2f3b1c0a9e11", "sdk": {"name": "flagstaff", "version": "1"},
         "app": {"name": "Shop", "version": "2"}, "start": 1800000000, "end": 1800000030,
         "groups": [{"context": {"mode": "none"},
                     "evaluations": [{"flag": "theme", "variant": "night", "reason": "STATIC", "valueID": "abc",
                                      "count": 3}],
                     "events": [{"name": "checkout", "value": 9.5, "properties": {"items": 3},
                                 "time": 1800000010}]}]}
        """

    private func request(_ kind: TestRequest.Kind, _ body: String) throws -> TestRequest {
        TestRequest(
            kinds: [kind], url: try #require(URL(string: "https://flags.test/api/v1/telemetry")),
            body: Array(body.utf8))
    }

    @Test func otherRequestsReportNothing() throws {
        for request in [try request(.start, Self.batch), try request(.telemetry, "{}")] {
            #expect(request.reportedReads.isEmpty)
            #expect(request.reportedEvents.isEmpty)
            #expect(request.batchID == nil)
        }
        #expect(try request(.telemetry, "[1]").json == [1])
    }

    @Test func batchesAreReadable() throws {
        let request = try request(.telemetry, Self.batch)
        #expect(request.batchID == "7f3f0c9e-5a4e-4d55-9d1e-2f3b1c0a9e11")
        let reads = ReportedReads(
            key: "theme", variant: "night", reason: .static, valueID: "abc", isDefault: false, count: 3)
        #expect(request.reportedReads == [reads])
        let event = ReportedEvent(
            name: "checkout", value: 9.5, properties: ["items": 3],
            time: Date(timeIntervalSince1970: 1_800_000_010))
        #expect(request.reportedEvents == [event])
    }
}
