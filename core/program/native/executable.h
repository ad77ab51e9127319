/* Memory that can be executed, and is written without ever being writable where it is mapped: a
 * file without a name (memfd) mapped readable and executable, filled by pwrite(). So it works where
 * a process may have no page that is both (systemd's MemoryDenyWriteExecute, PR_SET_MDWE).
 *
 * One for the process, of a bounded size, for all threads. A child of fork() gets one of its own
 * when it asks; it must not run what its parent had before, who may write something else there. */
#ifndef CORE_PROGRAM_NATIVE_EXECUTABLE_H
#define CORE_PROGRAM_NATIVE_EXECUTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXECUTABLE_BYTES = 64 << 20 };

/* Where these bytes can be executed, until executable_free(); NULL where there is no room or the
 * system refuses. */
void *executable_new(const uint8_t *bytes, size_t n);
void executable_free(void *at, size_t n); /* as many as were asked for; NULL is fine */

bool executable_possible(void); /* the system lets this process have such memory */
size_t executable_used(void);   /* bytes, rounded up to blocks */

#endif
