/* Calls into libraries that end the process when memory is out. Private to core/exact.
 *
 * FLINT, Arb and GMP know no failing allocation: they call abort. Within guard_call() that comes
 * back as ERR_NO_MEMORY instead; what they held then is lost. */
#ifndef CORE_EXACT_GUARD_H
#define CORE_EXACT_GUARD_H

#include "core/base/status.h"

/* call(self, err), or ERR_NO_MEMORY; or that the thread is to stop (core/base/stop_token.h):
 * what is told to stop may then leave anything behind. Calls nest. */
Status guard_call(Status (*call)(void *self, Error *err), void *self, Error *err) MUST_CHECK;

#endif
