import Testing

@testable import Flagstaff

@Suite struct EndpointOrderTests {
    private func answer(_ status: Int) -> Result<FlagTransportResponse, FlagTransportError> {
        .success(FlagTransportResponse(head: FlagTransportHead(status: status, headers: [:])))
    }

    private func failure(
        _ kind: FlagTransportError.Kind
    ) -> Result<FlagTransportResponse, FlagTransportError> {
        .failure(FlagTransportError(kind: kind, message: ""))
    }

    @Test func triesAllInTheirOrder() {
        #expect(EndpointOrder(count: 3).attempt(at: 0) == [0, 1, 2])
        #expect(EndpointOrder(count: 1).attempt(at: 0) == [0])
    }

    @Test func staysWithTheOneThatWorks() {
        var order = EndpointOrder(count: 3)
        order.note(.failed, of: 0, at: 100)
        order.note(.failed, of: 1, at: 101)
        order.note(.answered, of: 2, at: 102)
        #expect(order.attempt(at: 103) == [2, 0, 1])
        #expect(order.attempt(at: 699.9) == [2, 0, 1])
    }

    @Test func triesTheFirstAgainAfterTenMinutesAndThenTheOneThatWorked() {
        var order = EndpointOrder(count: 3)
        order.note(.failed, of: 0, at: 100)
        order.note(.answered, of: 2, at: 102)
        #expect(order.attempt(at: 700) == [0, 2, 1])
        order.note(.failed, of: 0, at: 704)
        #expect(order.attempt(at: 705) == [2, 0, 1])
        order.note(.answered, of: 0, at: 1400)
        #expect(order.attempt(at: 1401) == [0, 1, 2])
    }

    @Test func goesBackToTheFirstWhenTheOneInUseFails() {
        var order = EndpointOrder(count: 3)
        order.note(.failed, of: 0, at: 100)
        order.note(.answered, of: 1, at: 101)
        order.note(.failed, of: 1, at: 200)
        #expect(order.attempt(at: 201) == [0, 1, 2])
    }

    @Test func failureOfAnotherChangesNothing() {
        var order = EndpointOrder(count: 3)
        order.note(.failed, of: 0, at: 100)
        order.note(.answered, of: 1, at: 101)
        order.note(.failed, of: 2, at: 102)
        order.note(.unclear, of: 1, at: 103)
        #expect(order.attempt(at: 104) == [1, 0, 2])
    }

    @Test(arguments: [200, 204, 302, 304, 400, 401, 403, 404, 408, 413, 429])
    func anyAnswerBelow500IsOne(status: Int) {
        #expect(EndpointOrder.Verdict(answer(status)) == .answered)
    }

    @Test func faultsAndServerErrorsAreFailures() {
        for status in [500, 502, 503, 504, 599] {
            #expect(EndpointOrder.Verdict(answer(status)) == .failed)
        }
        #expect(EndpointOrder.Verdict(failure(.network)) == .failed)
        #expect(EndpointOrder.Verdict(failure(.timedOut)) == .failed)
        #expect(EndpointOrder.Verdict(failure(.init(rawValue: "later"))) == .failed)
        #expect(EndpointOrder.Verdict(failure(.cancelled)) == .unclear)
        #expect(EndpointOrder.Verdict(failure(.tooLarge)) == .answered)
    }

    @Test func limitsLeaveMostOfTheTimeToTheOthersAndNeverExceedIt() {
        #expect(EndpointOrder.limit(rest: 10, isLast: false) == 4)
        #expect(EndpointOrder.limit(rest: 10, isLast: true) == 10)
        for count in 1...8 {
            var rest = 10.0
            for position in 0..<count {
                let limit = EndpointOrder.limit(rest: rest, isLast: position == count - 1)
                #expect(limit > 0)
                rest -= limit
            }
            #expect(abs(rest) < 0.000001)
        }
    }
}
