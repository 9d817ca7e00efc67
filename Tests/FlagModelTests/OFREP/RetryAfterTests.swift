import FlagModel
import Testing

@Suite struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110.
    private static let example: Int64 = 784_111_777

    @Test(
        arguments: [
            ("0", .seconds(0)), ("120", .seconds(120)), ("  7 ", .seconds(7)), ("007", .seconds(7)),
            ("99999999999999999999999", .seconds(.max)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", .date(example)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", .date(example)),
            ("Sun Nov  6 08:49:37 1994", .date(example)),
            ("1994-11-06T08:49:37Z", .date(example)),
            ("1994-11-06t08:49:37z", .date(example)),
            ("1994-11-06 08:49:37Z", .date(example)),
            ("1994-11-06T08:49:37.123456Z", .date(example)),
            ("1994-11-06T10:49:37+02:00", .date(example)),
            ("1994-11-06T03:19:37.5-05:30", .date(example)),
            ("1994-11-06T08:49:37-00:00", .date(example)),
            ("Thu, 01 Jan 1970 00:00:00 GMT", .date(0)),
            ("1969-12-31T23:00:00-01:00", nil), ("1970-01-01T00:00:00Z", .date(0)),
            ("2000-02-29T00:00:00Z", .date(951_782_400)),
            ("2024-02-29T12:00:00Z", .date(1_709_208_000)),
            ("2100-03-01T00:00:00Z", .date(4_107_542_400)),
            ("2026-12-31T23:59:60Z", .date(1_798_761_600)),
            ("9999-12-31T23:59:59Z", .date(253_402_300_799)),
            ("Fri, 31 Dec 1999 23:59:59 GMT", .date(946_684_799)),
            ("Friday, 31-Dec-99 23:59:59 GMT", .date(946_684_799)),
            ("Saturday, 01-Jan-00 00:00:00 GMT", .date(946_684_800)),
        ] as [(String, RetryAfter?)])
    func reads(text: String, value: RetryAfter?) {
        #expect(RetryAfter(text) == value)
    }

    @Test(arguments: [
        "", " ", "soon", "-1", "+1", "1.5", "1,5", "0x10", "1 2", "1s", "٣", "NaN", "true",
        "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 8:49 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
        "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT", "Sun, 06 Nov 199 08:49:37 GMT",
        "Sun Nov 6 1994", "Sun Nov 6 1994 08:49:37", "a b c d e", "a b c d e GMT",
        "1994-11-06", "1994-11-06T08:49Z", "1994-11-06T08:49:37", "1994-11-06T08:49:37+2:00",
        "1994-11-06T08:49:37+02", "1994-11-06T08:49:37+0200", "1994-11-06T08:49:37+24:00",
        "1994-11-06T08:49:37+00:60", "1994-11-06T08:49:37.Z", "1994-11-06T08:49:37,5Z",
        "1994/11/06T08:49:37Z",
        "1994-11-06X08:49:37Z", "1994-13-06T08:49:37Z", "1994-00-06T08:49:37Z", "1994-02-29T08:49:37Z",
        "1900-02-29T08:49:37Z", "2100-02-29T08:49:37Z", "19941-1-06T08:49:37Z", "1994-11-06T08:4:937Z",
        "1994-11-06T08:49:37ZZ", "é994-11-06T08:49:37Z", "+994-11-06T08:49:37Z",
    ])
    func ignoresRubbish(text: String) {
        #expect(RetryAfter(text) == nil)
    }

    @Test func anyBytesNeverCrash() {
        var generator = SeededGenerator(seed: 429)
        let letters = Array("0123456789:-+TZ ,.GMTSunNov é🚩".unicodeScalars)
        for _ in 0..<5_000 {
            var view = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...35, using: &generator) {
                view.append(letters[Int.random(in: 0..<letters.count, using: &generator)])
            }
            if let value = RetryAfter(String(view)) { #expect(value.delay(now: 0, cap: 60) <= 60) }
        }
    }

    @Test func delaysUpToTheCapAndNeverBackwards() {
        #expect(RetryAfter.seconds(0).delay(now: 1_000, cap: 60) == 0)
        #expect(RetryAfter.seconds(59).delay(now: 1_000, cap: 60) == 59)
        #expect(RetryAfter.seconds(.max).delay(now: 1_000, cap: 60) == 60)
        #expect(RetryAfter.date(1_030).delay(now: 1_000, cap: 60) == 30)
        #expect(RetryAfter.date(1_000).delay(now: 1_000, cap: 60) == 0)
        #expect(RetryAfter.date(900).delay(now: 1_000, cap: 60) == 0)
        #expect(RetryAfter.date(9_999_999_999).delay(now: 1_000, cap: 60) == 60)
        #expect(RetryAfter.date(.max).delay(now: .min, cap: 60) == 60)
        #expect(RetryAfter.date(0).delay(now: .max, cap: 60) == 0)
    }
}
