/* FLINT, Arb and GMP call abort() if an allocation fails. Within guard_call() this becomes
 * ERR_NO_MEMORY; memory that the libraries held is lost. Private to core/exact. */
#ifndef CORE_EXACT_GUARD_H
#define CORE_EXACT_GUARD_H

#include "core/base/status.h"

/* Returns call(self, err), ERR_NO_MEMORY, or the error of a thread that is to stop
 * (core/base/stop_token.h). The results of a stopped call are undefined. Calls nest. */
Status guard_call(Status (*call)(void *self, Error *err), void *self, Error *err) MUST_CHECK;

#endif
