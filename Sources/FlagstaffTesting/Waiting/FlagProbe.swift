import FlagLocking
public import Flagstaff

/// Reads a sequence, such as a flag's values or a client's events, and lets a test take its elements one by one.
///
/// ```swift
/// let greetings = FlagProbe(flags.values(for: "greeting", default: "none"))
/// service.setValue("hi", for: "greeting")
/// #expect(try await greetings.next { $0 == "hi" } == "hi")
/// ```
///
/// Reading begins when the probe is made: nothing that happens afterwards is missed. Waits end as soon as there is
/// something; their limits are for tests that fail. A sequence of values keeps only the newest for its reader, so two
/// values that are set one right after the other can arrive as one element.
///
/// The reading ends with the sequence, or when the probe is let go of.
public final class FlagProbe<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var elements: [Element] = []
        /// How many of them were taken.
        var taken = 0
        var isAtEnd = false
    }

    private final class Storage: Sendable {
        let state = Lock(State())
        let signal = ChangeSignal()
    }

    private let storage = Storage()
    private let reader: Task<Void, Never>

    /// Begins to read a sequence.
    ///
    /// - Parameter sequence: The sequence; an error that it throws counts as its end.
    public init<Sequence: AsyncSequence & Sendable>(_ sequence: Sequence) where Sequence.Element == Element {
        let storage = storage
        let iterator = sequence.makeAsyncIterator()
        reader = Task {
            var iterator = iterator
            while let element = try? await iterator.next() {
                storage.state.withLock { $0.elements.append(element) }
                storage.signal.notify()
            }
            storage.state.withLock { $0.isAtEnd = true }
            storage.signal.notify()
        }
    }

    deinit {
        reader.cancel()
    }

    /// All elements that have arrived so far, taken or not.
    public var received: [Element] { storage.state.withLock { $0.elements } }

    /// Takes the next element that fulfils a condition, and passes over those before it.
    ///
    /// - Parameters:
    ///   - limit: How long to wait at most, in seconds. Default 10.
    ///   - condition: Which element is meant. Default: the very next one.
    /// - Returns: The element; `nil` when the sequence ends before.
    /// - Throws: ``TestTimeout`` when there is none in time.
    public func next(
        within limit: Double = 10, where condition: @Sendable (Element) -> Bool = { _ in true }
    ) async throws -> Element? {
        try await elements(within: limit, until: condition).last { condition($0) }
    }

    /// Takes the elements up to the first that fulfils a condition, with that one.
    ///
    /// - Parameters:
    ///   - limit: How long to wait at most, in seconds. Default 10.
    ///   - condition: Which element is the last.
    /// - Returns: The elements that were not taken before; all of the rest when the sequence ends before.
    /// - Throws: ``TestTimeout`` when there is none in time.
    public func elements(
        within limit: Double = 10, until condition: @Sendable (Element) -> Bool
    ) async throws -> [Element] {
        let storage = storage
        var passed: [Element] = []
        return try await storage.signal.value("an element of a sequence that a probe reads", within: limit) {
            // Taken one by one and looked at outside the lock, as the condition is the test's.
            while true {
                let (next, isAtEnd): (Element?, Bool) = storage.state.withLock { state in
                    guard state.taken < state.elements.count else { return (nil, state.isAtEnd) }
                    state.taken += 1
                    return (state.elements[state.taken - 1], false)
                }
                guard let next else { return isAtEnd ? passed : nil }
                passed.append(next)
                if condition(next) { return passed }
            }
        }
    }

    /// Takes all that is left of a sequence that ends, as those of a closed client do.
    ///
    /// - Parameter limit: How long to wait for the end at most, in seconds. Default 10.
    /// - Returns: The elements that were not taken before.
    /// - Throws: ``TestTimeout`` when the end does not come in time.
    public func rest(within limit: Double = 10) async throws -> [Element] {
        try await elements(within: limit) { _ in false }
    }
}

extension FlagProbe<FlagEvent> {
    /// Takes the events up to the first of a kind, with that one.
    ///
    /// - Parameters:
    ///   - kind: The kind of the last event.
    ///   - limit: How long to wait at most, in seconds. Default 10.
    /// - Returns: The events that were not taken before.
    /// - Throws: ``TestTimeout`` when there is none in time.
    public func events(until kind: FlagEvent.Kind, within limit: Double = 10) async throws -> [FlagEvent] {
        try await elements(within: limit) { $0.kind == kind }
    }
}
