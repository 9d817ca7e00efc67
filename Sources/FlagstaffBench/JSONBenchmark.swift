import Dispatch
import FlagModel
import Foundation

/// The JSON codec against Foundation's `JSONSerialization`, on the two texts that matter: a bulk answer of 1,000
/// flags, which a client reads, and a context, which the service reads with each request.
enum JSONBenchmark {
    /// Measures and prints one line per case, and one `result:` line with the ratio for the summary.
    static func run() {
        for (name, text) in [("bulk answer of 1,000 flags", bulkAnswer()), ("context", context)] {
            let bytes = Array(text.utf8)
            let data = Data(bytes)
            guard let value = try? JSONParser.parse(bytes),
                let object = try? JSONSerialization.jsonObject(with: data)
            else { fatalError("the benchmark's own text is not JSON") }

            compare("parse a \(name)", bytes: bytes.count) {
                consume(try? JSONParser.parse(bytes))
            } foundation: {
                consume(try? JSONSerialization.jsonObject(with: data))
            }
            compare("write a \(name)", bytes: bytes.count) {
                consume(JSONWriter.bytes(of: value))
            } foundation: {
                consume(try? JSONSerialization.data(withJSONObject: object))
            }
            compare("write a \(name), names sorted", bytes: bytes.count) {
                consume(JSONWriter.bytes(of: value, options: .sortedKeys))
            } foundation: {
                consume(try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys))
            }
        }
    }

    /// Runs both sides in turns and compares the medians, so that other load on the machine meets both.
    private static func compare(_ name: String, bytes: Int, ours: () -> Void, foundation: () -> Void) {
        let repetitions = max(1, 400_000 / bytes)
        var times: [(ours: Double, foundation: Double)] = []
        for round in 0..<25 {
            let pair = (ours: seconds(repetitions, ours), foundation: seconds(repetitions, foundation))
            if round >= 4 { times.append(pair) }
        }
        let own = median(times.map(\.ours))
        let other = median(times.map(\.foundation))
        let rate = { (seconds: Double) in String(format: "%6.1f MB/s", Double(bytes) / seconds / 1e6) }
        print(
            "\(name): \(rate(own)), JSONSerialization \(rate(other)): \(String(format: "%.1f", other / own)) ×"
        )
        print(
            "result: {\"what\": \"\(name) (\(bytes) bytes)\", \"against\": \"JSONSerialization\", "
                + "\"ratio\": \(String(format: "%.2f", other / own)), \"atLeast\": 2}")
    }

    private static func seconds(_ repetitions: Int, _ body: () -> Void) -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        for _ in 0..<repetitions { body() }
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9 / Double(repetitions)
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }

    /// Keeps the optimizer from dropping a result that nobody looks at.
    @inline(never)
    private static func consume<Value>(_ value: Value) {
        withExtendedLifetime(value) {}
    }

    /// Of the kind that services send: short keys, a few types of value, metadata.
    private static func bulkAnswer() -> String {
        let values = [
            "true", "false", "\"blue-theme\"", "42", "0.25", "{\"limit\": 10, \"title\": \"Grüße\"}",
        ]
        let flags = (0..<1000).map { index in
            """
            {"key":"feature-\(index)","metadata":{"flagSetId":"web","owner":"team-\(index % 7)","version":\(index)},\
            "reason":"\(index % 3 == 0 ? "TARGETING_MATCH" : "STATIC")","value":\(values[index % values.count]),\
            "variant":"variant-\(index % 4)"}
            """
        }
        return "{\"flags\":[\(flags.joined(separator: ","))],\"metadata\":{\"version\":\"7\"}}"
    }

    private static let context = """
        {"context":{"targetingKey":"6f1c9a52-7f6e-4d0b-9c15-0b8b6a3f7a10","email":"someone@example.com",\
        "plan":"pro","age":34,"signedUp":1712345678901,"score":0.73,"beta":true,"groups":["staff","testers"],\
        "device":{"os":"iOS","version":"17.4.1","mobile":true,"screen":{"width":390,"height":844}},\
        "locale":"de_DE"}}
        """
}
