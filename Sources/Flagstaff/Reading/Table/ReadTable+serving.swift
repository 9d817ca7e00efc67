import FlagLocking
import FlagModel

// Reads of text and of other types, and what the quick reads fall back to.

extension ReadTable {
    /// A text flag's value, or the default.
    @inline(__always)
    func string(_ key: String, default defaultValue: String) -> String {
        key.withKeyBytes { string($0, default: defaultValue) } ?? defaultValue
    }

    /// The value of a text flag whose name is a literal, or the default.
    func string(literal: StaticString, default defaultValue: String) -> String {
        let key = UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
        if let cell = literals.cell(literal.utf8Start, length: key.count, .string), let text = text(cell) {
            return text ?? defaultValue
        }
        let text = string(key, default: defaultValue)
        if !literals.isFull { learn(key, .string) }
        return text ?? defaultValue
    }

    @inline(__always)
    private func string(_ key: UnsafeBufferPointer<UInt8>, default defaultValue: String) -> String? {
        if let cell = index.cell(key, hash: hash(key, .string)), let text = text(cell) { return text }
        return serve(key, .string, default: { .string(defaultValue) }).text
    }

    /// The text that a cell serves, or `nil` in it for the default; `nil` when the cell is to be asked under the lock.
    @inline(__always)
    private func text(_ cell: ReadCell) -> String?? {
        let stripe = stripe
        guard
            case .object(let address, let isServed, let pinned) = cell.pin(stripe, counting: CountWord.read)
        else { return nil }
        let text = isServed ? Self.text(address) : nil
        unpin(cell, stripe, since: pinned)
        return .some(text)
    }

    /// The text of a pinned flag.
    @inline(__always)
    private static func text(_ address: UInt) -> String? {
        Unmanaged<ServedFlag>.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
            ._withUnsafeGuaranteedRef { $0.text }
    }

    /// What is served for a flag, to a read that is counted when it knows its result.
    struct Held {
        /// What is served.
        let served: ServedFlag
        /// The cell that it was found in, and what the cell's word was then; `nil` when it was under the lock.
        fileprivate let place: (cell: ReadCell, since: CountWord)?
    }

    /// What is served for a flag.
    func hold(_ key: String) -> Held {
        key.withKeyBytes { key in
            if let cell = index.cell(key, hash: hash(key, .value)) {
                let stripe = stripe
                if case .object(let address, _, let pinned) = cell.pin(stripe, counting: 0) {
                    let served: ServedFlag = Self.object(address)
                    unpin(cell, stripe, since: pinned)
                    return Held(served: served, place: (cell, pinned))
                }
            }
            return state.withLock { state in
                let number = state.entry(key)
                let cell = state.cell(of: number, .value, key)
                state.open(cell, of: number, .value, stripe)
                return Held(served: state.entries[number].served, place: nil)
            }
        }
    }

    /// Counts a read of what is held.
    ///
    /// - Parameters:
    ///   - held: What was served.
    ///   - key: The key that was read.
    ///   - kind: What the read asked for; ``ReadKind/unfit`` for a type of the app's own that did not fit.
    ///   - type: The type that the read asked for.
    ///   - defaultValue: The default, where there is a way to write it as a flag's value.
    func count(
        _ held: Held, _ key: String, _ kind: ReadKind, of type: Any.Type,
        default defaultValue: () -> FlagValue
    ) {
        key.withKeyBytes { bytes in
            let stripe = stripe
            if let (found, since) = held.place,
                let cell = kind == .value ? found : index.cell(bytes, hash: hash(bytes, kind)),
                cell.count(stripe, since: since)
            {
                return
            }
            let observed = state.withLock { state in
                let number = state.entry(bytes)
                if state.entries[number].served === held.served {
                    state.count(number, kind, bytes, stripe: stripe)
                } else {
                    state.add(held.served, kind, 1)
                }
                return state.observe(held.served, kind, of: type, key: bytes, default: defaultValue)
            }
            observed?()
        }
    }

    /// Serves and counts a read that found no open cell.
    @inline(never)
    func serve(
        _ key: UnsafeBufferPointer<UInt8>, _ kind: ReadKind, default defaultValue: () -> FlagValue
    ) -> ServedFlag {
        let stripe = stripe
        let (served, observed) = state.withLock { state in
            let served = state.serve(key, kind, stripe: stripe)
            return (served, state.observe(served, kind, of: kind.type, key: key, default: defaultValue))
        }
        observed?()
        return served
    }

    /// Remembers which cell a literal stands for.
    func learn(_ literal: UnsafeBufferPointer<UInt8>, _ kind: ReadKind) {
        guard let start = literal.baseAddress else { return }
        state.withLock { state in
            guard let cell = index.cell(literal, hash: hash(literal, kind)) else { return }
            state.literals.insert(cell, for: start, length: literal.count, kind)
        }
    }
}
