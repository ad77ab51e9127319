/* malloc(), calloc() and realloc() in front of glibc's. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "tests/server/failing.h"

#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define FAILING 1
#else
#define FAILING 0
#endif

/* Where the code of libraries lies that cannot go on without memory. */
enum { RANGES_MAX = 32 };
static struct {
    uintptr_t from, to;
} ranges[RANGES_MAX];
static size_t n_ranges;

static atomic_bool armed;
static atomic_size_t count;
static size_t failing_number;
static FailingKind failing_kind;

static int note_library(struct dl_phdr_info *info, size_t size, void *self)
{
    static const char *const NAMES[] = {"libflint", "libgmp",    "libmpfr",
                                        "libarb",   "libstdc++", "libgsl"};
    (void)size;
    (void)self;
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++) {
        if (!strstr(info->dlpi_name, NAMES[k]))
            continue;
        for (int i = 0; i < info->dlpi_phnum && n_ranges < RANGES_MAX; i++) {
            const uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            ranges[n_ranges].from = from;
            ranges[n_ranges++].to = from + info->dlpi_phdr[i].p_memsz;
        }
    }
    return 0;
}

bool failing_works(void)
{
    return FAILING;
}

void failing_arm(size_t n, FailingKind kind)
{
    if (n_ranges == 0)
        dl_iterate_phdr(note_library, NULL);
    failing_number = n;
    failing_kind = kind;
    atomic_store(&count, 0);
    atomic_store(&armed, true);
}

size_t failing_disarm(void)
{
    atomic_store(&armed, false);
    return atomic_load(&count);
}

#if FAILING
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t size);

static bool fails(const void *caller)
{
    if (!atomic_load_explicit(&armed, memory_order_relaxed))
        return false;
    for (size_t i = 0; i < n_ranges; i++)
        if ((uintptr_t)caller >= ranges[i].from && (uintptr_t)caller < ranges[i].to)
            return false;
    const size_t number = atomic_fetch_add(&count, 1) + 1;
    const bool now = failing_number > 0 && (failing_kind == FAIL_ONCE ? number == failing_number
                                                                      : number >= failing_number);
    if (now)
        errno = ENOMEM;
    return now;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *memory, size_t size)
{
    return size > 0 && fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}
#endif
