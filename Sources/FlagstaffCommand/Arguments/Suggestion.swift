/// Guesses what someone meant to type.
enum Suggestion {
    /// The candidate that takes the fewest edits to get to, if it is close enough to be meant.
    static func closest(to text: String, among candidates: [String]) -> String? {
        let distances = candidates.map { (candidate: $0, distance: distance(text, $0)) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, text.count / 3) ? best.candidate : nil
    }

    /// The end of a message: `; did you mean 'x'?`, or nothing.
    static func question(_ candidate: String?) -> String {
        candidate.map { "; did you mean '\($0)'?" } ?? ""
    }

    /// How many characters have to be inserted, deleted or replaced (Levenshtein's distance).
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (right[column] == character ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
