#ifndef FLAGSTAFF_ATOMICS_H
#define FLAGSTAFF_ATOMICS_H

#include <stdbool.h>
#include <stdint.h>

// Atomic access to words that Swift allocates. Every function is one instruction or a few, inlined into Swift.
// The words are 64 bits wide on every platform, and only these functions touch them while threads share them.

/// Reads a word that another one guards: it may be older than what was read before.
static inline uint64_t flag_load_relaxed(const uint64_t *_Nonnull word) {
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

/// Reads a word; what its writer did before is visible to the caller afterwards.
static inline uint64_t flag_load_acquire(const uint64_t *_Nonnull word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/// Writes a word that another one guards.
static inline void flag_store_relaxed(uint64_t *_Nonnull word, uint64_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/// Writes a word; what the caller did before is visible to whoever reads it.
static inline void flag_store_release(uint64_t *_Nonnull word, uint64_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/// Writes a word and returns what it was, in one step, ordered with what both sides did before.
static inline uint64_t flag_exchange(uint64_t *_Nonnull word, uint64_t value) {
    return __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL);
}

/// Adds to a word, wrapping around, and returns what it was.
static inline uint64_t flag_fetch_add(uint64_t *_Nonnull word, uint64_t value) {
    return __atomic_fetch_add(word, value, __ATOMIC_ACQ_REL);
}

/// Writes a word if it still is what the caller expects; else writes what it is to `expected`.
///
/// May fail without a reason, so it belongs into a loop.
static inline bool flag_compare_exchange(
    uint64_t *_Nonnull word, uint64_t *_Nonnull expected, uint64_t value) {
    return __atomic_compare_exchange_n(word, expected, value, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/// The calling thread's number, or 0 where it has none yet.
extern _Thread_local uint32_t flag_thread_number_or_zero;

/// Gives the calling thread a number: 1, 2, 3 and so on, by the order of the first calls.
uint32_t flag_number_thread(void);

/// A number that the calling thread keeps: threads that read at the same time use different parts of memory by it.
static inline uint32_t flag_thread_number(void) {
    uint32_t number = flag_thread_number_or_zero;
    return __builtin_expect(number != 0, 1) ? number : flag_number_thread();
}

#endif
