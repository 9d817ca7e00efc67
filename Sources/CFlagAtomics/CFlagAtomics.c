// Everything but the threads' numbers is in the header.
#include "CFlagAtomics.h"

_Thread_local uint32_t flag_thread_number_or_zero;

uint32_t flag_number_thread(void) {
    static uint32_t last;
    uint32_t number;
    // After 2^32 threads the numbers start again, and 0 is passed over.
    do {
        number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
    } while (number == 0);
    flag_thread_number_or_zero = number;
    return number;
}
