#ifndef FLAGSTAFF_LOOPBACK_H
#define FLAGSTAFF_LOOPBACK_H

#include <stdint.h>

// Sockets on the loopback address, for servers that tests talk to. The same on all POSIX systems.

/// Listens on a free port of the loopback address.
///
/// Returns the socket and writes its port, or returns -1 and sets errno.
int flag_loopback_listen(uint16_t *_Nonnull port);

/// Waits for a connection; -1 when the socket was hung up. A peer that is gone never ends the process.
int flag_loopback_accept(int listener);

/// Waits for bytes; 0 at the end, -1 for a fault.
int64_t flag_loopback_read(int connection, void *_Nonnull bytes, int64_t count);

/// Sends bytes; how many, or -1 for a fault.
int64_t flag_loopback_write(int connection, const void *_Nonnull bytes, int64_t count);

/// Ends a socket's work and wakes who waits on it; the number stays taken until it is closed.
void flag_loopback_hang_up(int descriptor);

/// Gives a socket's number back.
void flag_loopback_close(int descriptor);

#endif
