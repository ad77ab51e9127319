/* The hooks belong to the process; the first call sets them. They find the jump target of the
 * calling thread in a thread-local variable. Both are the only variables of the core that outlive a
 * call (docs/decisions/0007). */
#include "core/exact/guard.h"

#include <flint/flint.h>
#include <gmp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

#include "core/base/stop_token.h"

static _Thread_local jmp_buf *way_back;
static pthread_once_t once = PTHREAD_ONCE_INIT;

FLINT_NORETURN static void leave(void)
{
    if (way_back)
        longjmp(*way_back, 1);
    abort();
}

static void *or_leave(void *p)
{
    if (!p)
        leave();
    return p;
}

static void *allocate(size_t size)
{
    return or_leave(malloc(size ? size : 1));
}

static void *allocate_zeroed(size_t n, size_t size)
{
    return or_leave(calloc(n ? n : 1, size ? size : 1));
}

static void *reallocate(void *old, size_t size)
{
    return or_leave(realloc(old, size ? size : 1));
}

/* GMP passes the old size as well. */
static void *reallocate_gmp(void *old, size_t old_size, size_t size)
{
    (void)old_size;
    return reallocate(old, size);
}

static void release_gmp(void *p, size_t size)
{
    (void)size;
    free(p);
}

static void set_hooks(void)
{
    flint_set_abort(leave);
    __flint_set_memory_functions(allocate, allocate_zeroed, reallocate, free);
    mp_set_memory_functions(allocate, reallocate_gmp, release_gmp);
}

Status guard_call(Status (*call)(void *self, Error *err), void *self, Error *err)
{
    jmp_buf here, *before = way_back;
    volatile Status status = OK;

    pthread_once(&once, set_hooks);
    way_back = &here;
    if (setjmp(here) == 0)
        status = call(self, err);
    else
        status = error_set(err, ERR_NO_MEMORY, "out of memory in exact arithmetic");
    way_back = before;
    if (!before)
        flint_cleanup(); /* the libraries' caches for this thread, which may end at any time */
    return stop_token_settle(status, err);
}
