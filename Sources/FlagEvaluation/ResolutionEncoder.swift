package import FlagModel

/// Writes resolutions as OFREP evaluation objects: `{"key","value","variant","reason","metadata"}`, and for a
/// fault `{"key","errorCode","errorDetails","metadata"}`.
package enum ResolutionEncoder {
    /// The JSON of a resolution.
    ///
    /// What is absent is left out, `metadata` is always there, and names inside values are sorted: equal
    /// resolutions give equal bytes.
    package static func bytes(of resolution: FlagResolution) -> [UInt8] {
        var writer = JSONWriter(options: .sortedKeys)
        writer.write(raw: "{\"key\":")
        writer.write(resolution.key)
        if let code = resolution.errorCode {
            writer.write(raw: ",\"errorCode\":")
            writer.write(code.rawValue)
            if let details = resolution.errorDetails {
                writer.write(raw: ",\"errorDetails\":")
                writer.write(details)
            }
        } else {
            if let value = resolution.value {
                writer.write(raw: ",\"value\":")
                writer.write(value)
            }
            if let variant = resolution.variant {
                writer.write(raw: ",\"variant\":")
                writer.write(variant)
            }
            writer.write(raw: ",\"reason\":")
            writer.write(resolution.reason.rawValue)
        }
        writer.write(raw: ",\"metadata\":")
        writer.write(resolution.metadata)
        writer.write(raw: "}")
        return writer.bytes
    }
}
