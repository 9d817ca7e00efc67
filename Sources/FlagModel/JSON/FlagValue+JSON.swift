extension FlagValue {
    /// Reads a JSON text (RFC 8259).
    ///
    /// Whole numbers stay exact over 64 bits and apart from numbers with a fraction. Of two members with one name
    /// the last is kept. At most 128 levels deep.
    ///
    /// - Parameter json: The text.
    /// - Throws: ``JSONError`` with line and column when the text is not JSON.
    public init(json: String) throws(JSONError) {
        self = try JSONParser.parse(json)
    }

    /// The value as compact JSON with sorted names.
    ///
    /// Reading it back gives an equal value.
    public var jsonText: String {
        String(decoding: JSONWriter.bytes(of: self, options: .sortedKeys), as: UTF8.self)
    }
}
