import FlagLocking
import FlagModel
import FlagStore
import HTTPServer
import Testing

@testable import FlagService

/// The intake without a network: requests in, answers and counts out.
@Suite struct FlagServiceTelemetryTests {
    private static let path = "/api/v1/telemetry"

    private func service(
        keys: [String] = [], configuration: FlagService.Configuration = FlagService.Configuration(),
        log: ServiceLog = .silent
    ) throws -> FlagService {
        FlagService(
            source: ManualSource(), keys: try ClientKeys(keys), configuration: configuration, log: log,
            clock: { 1_700_000_000 })
    }

    private func batch(_ number: Int = 1, count: UInt64 = 12) -> TelemetryBatch {
        let digits = String(number)
        return TelemetryBatch(
            id: "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits,
            sdk: .init(name: "sdk", version: "1"), app: .init(name: "app", version: "2"), start: 1, end: 2,
            groups: [
                .init(
                    context: .example(["targetingKey": "secret-user"]),
                    evaluations: [
                        .init(flag: "a", variant: "on", reason: "STATIC", count: count),
                        .init(
                            flag: "gone", reason: "ERROR", errorCode: "FLAG_NOT_FOUND", isDefault: true,
                            count: 3),
                    ],
                    events: [.init(name: "checkout", properties: ["card": "secret-card"], time: 1)])
            ], droppedReads: 5, droppedEvents: 6)
    }

    private func post(
        _ service: FlagService, _ body: [UInt8], type: String? = "application/json",
        headers: [HTTPHeader] = []
    ) -> (status: Int, body: FlagValue?) {
        var headers = headers
        if let type { headers.append(HTTPHeader("Content-Type", type)) }
        let response = service.handle(HTTPRequest(.post, Self.path, headers: headers, body: body))
        guard case .bytes(let bytes) = response.body else { return (response.status.rawValue, nil) }
        return (response.status.rawValue, try? JSONParser.parse(bytes))
    }

    private func metrics(_ service: FlagService) throws -> [Substring] {
        guard case .bytes(let bytes) = service.handle(HTTPRequest(.get, "/metrics")).body else {
            throw FlagSourceFault("no body")
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    @Test func countsABatch() throws {
        let service = try service()
        let answer = post(service, batch().encoded)
        #expect(answer.status == 202)
        #expect(answer.body == ["status": "accepted"])
        let lines = try metrics(service)
        for line in [
            "flagstaff_telemetry_batches_total{result=\"accepted\"} 1",
            "flagstaff_telemetry_batches_total{result=\"duplicate\"} 0",
            "flagstaff_telemetry_reads_total 15", "flagstaff_telemetry_default_reads_total 3",
            "flagstaff_telemetry_unknown_flag_reads_total 3", "flagstaff_telemetry_events_total 1",
            "flagstaff_telemetry_dropped_reads_total 5", "flagstaff_telemetry_dropped_events_total 6",
            "flagstaff_requests_total{route=\"telemetry\",status=\"202\"} 1",
        ] {
            #expect(lines.contains(Substring(line)))
        }
    }

    @Test func countsABatchOnceHoweverOftenItArrives() throws {
        let service = try service()
        for number in 0..<10 {
            let answer = post(service, batch().encoded)
            #expect(answer.status == 202)
            #expect(answer.body == (number == 0 ? ["status": "accepted"] : ["status": "duplicate"]))
        }
        #expect(service.intake.counts.reads == 15)
        #expect(service.intake.counts.duplicates == 9)
        // The case of the id does not make another batch of it.
        var named = batch()
        named.id = "abcdefab-0000-4000-8000-abcdefabcdef"
        #expect(post(service, named.encoded).body == ["status": "accepted"])
        named.id = named.id.uppercased()
        #expect(post(service, named.encoded).body == ["status": "duplicate"])
    }

    @Test func keepsTheBatchesOfTheKeysApart() throws {
        let service = try service(keys: ["k1", "k2"])
        for key in ["k1", "k2"] {
            let answer = post(service, batch().encoded, headers: [HTTPHeader("X-API-Key", key)])
            #expect(answer.body == ["status": "accepted"])
        }
        #expect(post(service, batch().encoded).status == 401)
        let wrong = post(service, batch().encoded, headers: [HTTPHeader("Authorization", "Bearer no")])
        #expect(wrong.status == 401)
        #expect(service.intake.counts.accepted == 2)
    }

    @Test func takesReportsBeforeThereAreFlags() throws {
        #expect(post(try service(), batch().encoded).status == 202)
    }

    @Test(arguments: [nil, "text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])
    func refusesOtherMediaTypes(type: String?) throws {
        let service = try service()
        let answer = post(service, batch().encoded, type: type)
        #expect(answer.status == 415)
        #expect(answer.body?["errorDetails"] == "send the batch as 'Content-Type: application/json'")
        #expect(service.intake.counts.rejected == [.mediaType: 1])
    }

    @Test(arguments: ["application/json", "application/json; charset=utf-8", "Application/JSON ;x=y"])
    func acceptsJSONHoweverItIsWritten(type: String) throws {
        #expect(post(try service(), batch().encoded, type: type).status == 202)
    }

    @Test func saysWhatIsWrong() throws {
        let service = try service()
        let malformed = post(service, Array("{".utf8))
        #expect(malformed.status == 400)
        #expect(
            malformed.body?["errorDetails"]
                == "the body is not JSON: line 1, column 2: expected a name in quotes")
        let invalid = post(service, Array("{}".utf8))
        #expect(invalid.status == 400)
        #expect(invalid.body?["errorDetails"] == "id is missing")
        let large = post(service, [UInt8](repeating: 0x20, count: 524_289))
        #expect(large.status == 413)
        #expect(large.body?["errorDetails"] == "a batch may have at most 524288 bytes, not 524289")
        #expect(service.intake.counts.rejected == [.malformed: 1, .invalid: 1, .tooLarge: 1])
        #expect(try metrics(service).contains("flagstaff_telemetry_rejected_total{reason=\"invalid\"} 1"))
        // What was refused can come again in a better form.
        #expect(post(service, batch().encoded).body == ["status": "accepted"])
    }

    @Test func sumsNeverOverflow() throws {
        let service = try service()
        for number in 1...3 {
            var batch = batch(number)
            batch.droppedReads = TelemetryBatch.maximumCount
            batch.groups[0].evaluations = (0..<2_000).map {
                .init(flag: "\($0)", reason: "STATIC", count: TelemetryBatch.maximumCount)
            }
            #expect(post(service, batch.encoded).status == 202)
        }
        #expect(service.intake.counts.reads == .max)
        #expect(try metrics(service).contains("flagstaff_telemetry_reads_total 18446744073709551615"))
    }

    @Test func belongsToTheCallersRate() throws {
        let service = try service(configuration: FlagService.Configuration(requestsPerSecond: 0.001))
        #expect(post(service, batch(1).encoded).status == 202)
        #expect(post(service, batch(2).encoded).status == 429)
    }

    @Test func otherMethodsAreNotAllowed() throws {
        let service = try service()
        let answer = service.handle(HTTPRequest(.get, Self.path))
        #expect(answer.status == .methodNotAllowed)
        #expect(answer.headers.first { $0.isNamed("Allow") }?.value == "POST")
        #expect(service.handle(HTTPRequest("OPTIONS", Self.path)).status == .noContent)
    }

    @Test func logsNothingOfWhatClientsReport() throws {
        let lines = Lock<[String]>([])
        let log = ServiceLog(level: .debug) { entry in
            lines.withLock { $0.append("\(entry.message) \(entry.fields)") }
        }
        let service = try service(log: log)
        _ = post(service, batch().encoded)
        _ = post(service, Array("{\"id\":\"secret-id\"}".utf8))
        let text = lines.withLock { $0 }.joined(separator: "\n")
        #expect(!text.isEmpty)
        #expect(!text.contains("secret"))
        #expect(!text.contains("checkout"))
    }

    @Test func survivesAnythingThatArrives() throws {
        let service = try service()
        let original = batch().encoded
        for number in 0..<2_000 {
            var bytes = original
            // Any byte becomes any other in the course of the run.
            bytes[(number * 7) % bytes.count] = UInt8(truncatingIfNeeded: number &* 31)
            bytes.removeLast(number % 3)
            let status = post(service, bytes).status
            #expect(status == 202 || status == 400)
        }
    }

    @Test func manyAtOnceCountExactly() async throws {
        let service = try service()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for number in 0..<200 {
                        // Each batch comes from two workers.
                        _ = post(service, batch(worker / 2 * 1_000 + number, count: 2).encoded)
                    }
                }
            }
        }
        #expect(service.intake.counts.accepted == 800)
        #expect(service.intake.counts.duplicates == 800)
        #expect(service.intake.counts.reads == 800 * 5)
    }
}
