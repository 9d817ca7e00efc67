import ConfigDirectorTesting
import Testing

@testable import ConfigDirector

/// What evaluations tell of the moment at which they were made.
@Suite(.timeLimit(.minutes(1))) struct EvaluationTests {
    private class Base: Codable, @unchecked Sendable {}
    // Unchecked: they have no state.
    private final class Sub: Base, @unchecked Sendable {}

    @Test func aValueOfASubclassIsOfTheTypeThatWasAskedFor() async {
        let testClient = makeTestClient()
        let client = testClient.client
        let evaluations = client.evaluations
        _ = client.value(for: "o", as: Base.self, default: Sub())
        client.close()
        let all = await rest(of: evaluations)
        #expect(all.count == 1)
        #expect(all.first?.value.as(Base.self) != nil)
        #expect(all.first?.value.as(Sub.self) == nil)
    }

    @Test func whatIsServedToTheFirstContextIsEvaluatedForIt() async {
        for _ in 0..<200 {
            let testClient = makeTestClient(values: ["n": 1])
            let client = testClient.client
            let evaluations = client.evaluations
            let call = Task.detached { await client.initialize(context: ConfigDirectorContext(id: "ada")) }
            while client.value(for: "n", default: 0) == 0 { await Task.yield() }
            await call.value
            client.close()
            for evaluation in await rest(of: evaluations) where evaluation.reason == .foundMatch {
                #expect(evaluation.context?.id == "ada")
            }
        }
    }
}
