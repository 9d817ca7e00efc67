/// Where records go: bridging to another logging library is one type with one method.
///
/// Called on the thread that logs.
public protocol QuonfigLogSink: Sendable {
    /// Takes a record that is to be emitted.
    ///
    /// - Parameters:
    ///   - level: How important it is.
    ///   - message: The text.
    func emit(level: QuonfigLogLevel, message: String)
}
