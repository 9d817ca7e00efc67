import Foundation

/// Stops a thread until a test lets it pass.
final class Gate: @unchecked Sendable {
    // Unchecked, because the compiler cannot see that the state is only touched while the condition is locked.
    private let condition = NSCondition()
    private var isOpen = false
    private var arrivals = 0

    /// Stops here until the gate is open.
    func pass() {
        condition.lock()
        defer { condition.unlock() }
        arrivals += 1
        condition.broadcast()
        while !isOpen { condition.wait() }
    }

    /// Lets everyone pass.
    func open() {
        condition.lock()
        defer { condition.unlock() }
        isOpen = true
        condition.broadcast()
    }

    /// Waits until someone stands at the gate.
    func arrival() async {
        await withCheckedContinuation { continuation in
            // A thread of its own, as waiting blocks.
            Thread { [self] in
                condition.lock()
                while arrivals == 0 { condition.wait() }
                condition.unlock()
                continuation.resume()
            }.start()
        }
    }
}

/// A value that several threads share.
final class Box<Value: Sendable>: @unchecked Sendable {
    // Unchecked, because the compiler cannot see that the value is only touched while the lock is held.
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) {
        stored = value
    }

    var value: Value {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }
}

/// Something that is turned on once.
final class Switch: Sendable {
    private let box = Box(false)

    var isOn: Bool { box.value }

    func turnOn() { box.value = true }
}
