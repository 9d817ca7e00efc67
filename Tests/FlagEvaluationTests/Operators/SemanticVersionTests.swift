import Testing

@testable import FlagEvaluation

@Suite struct SemanticVersionTests {
    private func order(_ left: String, _ right: String) -> Int? {
        Array(left.utf8).withUnsafeBytes { left in
            Array(right.utf8).withUnsafeBytes { right in
                guard let left = SemanticVersion(left), let right = SemanticVersion(right) else { return nil }
                return left.order(against: right).signum()
            }
        }
    }

    @Test func ordersVersionsAsTheStandardSays() {
        let ascending = [
            "0.0.0", "0.0.1", "0.9.0", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta",
            "1.0.0-beta.2",
            "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.9.0", "1.10.0", "2.0.0", "99999999999999999999.0.0",
        ]
        for (leftIndex, left) in ascending.enumerated() {
            for (rightIndex, right) in ascending.enumerated() {
                #expect(order(left, right) == (leftIndex - rightIndex).signum(), "\(left) \(right)")
            }
        }
    }

    @Test(arguments: [
        ("1", "1.0.0"), ("1.2", "1.2.0"), ("v1.2.3", "1.2.3"), ("V1", "1.0.0"), ("1.0.0+a", "1.0.0+b.2"),
        ("1-beta", "1.0.0-beta"), ("1.0-beta+x", "1.0.0-beta"), ("1.0.0-x-y.0", "1.0.0-x-y.0"),
        ("1+01", "1.0.0"),
    ])
    func takesThemForEqual(left: String, right: String) {
        #expect(order(left, right) == 0)
    }

    @Test(arguments: [
        "", "v", "vv1.0.0", "1.0.0.0", "01.0.0", "1.00.0", "1.0.0-", "1.0.0-a..b", "1.0.0-01", "1.0.0+",
        "1.0.0+a..b",
        " 1.0.0", "1.0.0 ", "1.x", "1..0", ".1", "1.", "-1.0.0", "1.0.0-é", "１.0.0", "1.0.0-a+b+c", "latest",
    ])
    func refusesWhatIsNoVersion(text: String) {
        #expect(order(text, "1.0.0") == nil)
    }
}
