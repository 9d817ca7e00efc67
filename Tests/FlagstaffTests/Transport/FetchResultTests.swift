import FlagModel
import Testing

@testable import Flagstaff

@Suite struct FetchResultTests {
    private func result(_ status: Int, _ body: String = "", _ headers: [String: String] = [:]) -> FetchResult
    {
        let head = FlagTransportHead(status: status, headers: headers)
        return FetchResult(.success(FlagTransportResponse(head: head, body: Array(body.utf8))))
    }

    private func code(_ result: FetchResult) -> FlagClientError.Code? {
        if case .failure(let failure) = result { failure.error.code } else { nil }
    }

    @Test func readsFlagsAndTheETagAsItIs() {
        let body = #"{"flags":[{"key":"a","value":9007199254740993,"reason":"STATIC","extra":{}}],"more":1}"#
        let flag = FlagResolution(key: "a", value: 9_007_199_254_740_993, reason: .static)
        #expect(
            result(200, body, ["eTaG": "W/\"x\""])
                == .evaluation(BulkEvaluation(flags: [flag]), etag: "W/\"x\""))
        #expect(result(304) == .notModified)
    }

    @Test(arguments: ["", "{", "[]", "null", "{}", #"{"flags":{}}"#, "<html>", "\u{0}"])
    func anythingElseIsABadResponse(body: String) {
        #expect(code(result(200, body)) == .badResponse)
    }

    @Test func oneBadFlagCostsOnlyItself() {
        guard
            case .evaluation(let evaluation, nil) = result(
                200, #"{"flags":[{"value":1},7,{"key":"a","value":1}]}"#)
        else {
            Issue.record("the whole answer was refused")
            return
        }
        #expect(evaluation.flags.map(\.key) == ["a"])
        #expect(evaluation.malformedCount == 2)
    }

    @Test(arguments: [
        (401, FlagClientError.Code.unauthorized), (403, .forbidden), (404, .notFound), (429, .rateLimited),
        (400, .rejected), (413, .rejected), (500, .serverError), (503, .serverError), (302, .badResponse),
        (204, .badResponse),
    ])
    func statusesHaveTheirKind(status: Int, expected: FlagClientError.Code) {
        #expect(code(result(status)) == expected)
    }

    @Test func onlyRefusalsStopAClient() {
        let refusals = (200...599).filter { status in
            if case .failure(let failure) = result(status) { failure.error.isRefusal } else { false }
        }
        #expect(refusals == [401, 403, 404])
    }

    @Test func transportErrorsHaveTheirKind() {
        let kinds: [(FlagTransportError.Kind, FlagClientError.Code)] = [
            (.network, .network), (.timedOut, .timedOut), (.tooLarge, .badResponse), (.cancelled, .network),
        ]
        for (kind, expected) in kinds {
            #expect(code(FetchResult(.failure(FlagTransportError(kind: kind, message: "")))) == expected)
        }
    }

    @Test func dateToRetryAtCountsFromTheServicesClock() {
        let date = "Tue, 30 Jun 2026 12:00:00 GMT"
        let retryAfter = { (headers: [String: String]) in
            ServiceFailure(FlagTransportHead(status: 503, headers: headers)).retryAfter
        }
        #expect(retryAfter(["Retry-After": "2026-06-30T12:01:00Z", "Date": date]) == .seconds(60))
        #expect(retryAfter(["Retry-After": "2026-06-30T11:00:00Z", "Date": date]) == .seconds(0))
        #expect(retryAfter(["Retry-After": date]) == .date(1_782_820_800))
        #expect(retryAfter(["Retry-After": date, "Date": "today"]) == .date(1_782_820_800))
        #expect(retryAfter(["Retry-After": "7", "Date": date]) == .seconds(7))
        #expect(retryAfter(["Date": date]) == nil)
    }
}
