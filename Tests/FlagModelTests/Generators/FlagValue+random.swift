import FlagModel

extension FlagValue {
    /// A random value of every kind, with the edges of each kind over-represented; `depth` is how deep arrays and
    /// objects may still nest.
    static func random(using generator: inout SeededGenerator, depth: Int = 4) -> FlagValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 7), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .int(randomInteger(using: &generator))
        case 3, 4: return .double(randomDouble(using: &generator))
        case 5, 6: return .string(randomText(using: &generator))
        case 7:
            let count = Int.random(in: 0...5, using: &generator)
            return .array((0..<count).map { _ in random(using: &generator, depth: depth - 1) })
        default:
            var members: [String: FlagValue] = [:]
            for _ in 0..<Int.random(in: 0...5, using: &generator) {
                members[randomText(using: &generator)] = random(using: &generator, depth: depth - 1)
            }
            return .object(members)
        }
    }

    private static func randomInteger(using generator: inout SeededGenerator) -> Int64 {
        let edges: [Int64] = [
            0, 1, -1, 9, 10, 1 << 31, -(1 << 31), 1 << 53, (1 << 53) + 1, .max, .min, .max - 1, .min + 1,
        ]
        if generator.chance(30), let edge = edges.randomElement(using: &generator) { return edge }
        // Shifting spreads the magnitudes; without it nearly all would have 19 digits.
        return Int64(bitPattern: generator.next()) >> Int64.random(in: 0..<64, using: &generator)
    }

    private static func randomDouble(using generator: inout SeededGenerator) -> Double {
        let edges: [Double] = [
            0, -0.0, 1, 0.1, 1e21, 1e22, 1e23, Double(bitPattern: 1), .leastNormalMagnitude,
            .greatestFiniteMagnitude,
            9_007_199_254_740_994, 9.223372036854775807e18, 1.7976931348623157e308,
        ]
        if generator.chance(30), let edge = edges.randomElement(using: &generator) { return edge }
        if generator.chance(50) {
            return (Double.random(in: -1e6...1e6, using: &generator) * 100).rounded() / 100
        }
        let any = Double(bitPattern: generator.next())
        return any.isFinite ? any : 0.5
    }

    private static func randomText(using generator: inout SeededGenerator) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...20, using: &generator) {
            let range: ClosedRange<UInt32>
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: range = 0x00...0x1F
            case 1: range = 0x22...0x5C
            case 2: range = 0x80...0x7FF
            case 3: range = 0x800...0xD7FF
            case 4: range = 0xE000...0xFFFF
            case 5: range = 0x1_0000...0x10_FFFF
            default: range = 0x61...0x7A
            }
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) {
                text.append(scalar)
            }
        }
        return String(text)
    }
}
