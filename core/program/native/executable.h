/* Executable memory that is never mapped writable: an anonymous file (memfd) is mapped readable and
 * executable, and filled by pwrite(). So it works for processes that may have no page that is both
 * writable and executable (systemd's MemoryDenyWriteExecute, PR_SET_MDWE).
 *
 * There is one for the process, of bounded size, for all threads. A child of fork() creates its own
 * at its first request. It must not run code of its parent, which may overwrite it. */
#ifndef CORE_PROGRAM_NATIVE_EXECUTABLE_H
#define CORE_PROGRAM_NATIVE_EXECUTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXECUTABLE_BYTES = 64 << 20 };

/* An executable copy of these bytes until executable_free(); NULL: no room, or refused. */
void *executable_new(const uint8_t *bytes, size_t n);
void executable_free(void *at, size_t n); /* n as in executable_new(); NULL is fine */

bool executable_possible(void); /* the system allows this process such memory */
size_t executable_used(void);   /* bytes, rounded up to blocks */

#endif
