#ifndef FLAGSTAFF_ATOMICS_H
#define FLAGSTAFF_ATOMICS_H

#include <stdint.h>

// Atomic access to words that Swift allocates. Every function is one instruction or a few, inlined into Swift.

/// Reads a word; what its writer did before is visible to the caller afterwards.
static inline uint64_t flag_load_acquire(const uint64_t *_Nonnull word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/// Writes a word; what the caller did before is visible to whoever reads it.
static inline void flag_store_release(uint64_t *_Nonnull word, uint64_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

#endif
