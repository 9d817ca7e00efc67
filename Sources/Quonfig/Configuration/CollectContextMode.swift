/// What reports tell of contexts.
public enum CollectContextMode: String, Sendable {
    /// Nothing.
    case none
    /// The names of attributes and the types of their values.
    case shapeOnly
    /// Examples of contexts, each at most once an hour.
    case periodicExample
}
