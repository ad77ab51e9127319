/* Blocks of a file in memory, first fit; a flag for each block tells whether it is taken. */
#define _GNU_SOURCE /* memfd_create */
#include "core/program/native/executable.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U /* Linux 6.3: requested explicitly */
#endif

enum { BLOCK_BYTES = 1024, BLOCKS = EXECUTABLE_BYTES / BLOCK_BYTES };

typedef struct Executable {
    bool tried; /* to create the file */
    int file;
    uint8_t *memory; /* NULL: refused */
    pid_t owner;
    bool taken[BLOCKS];
    size_t used; /* blocks */
} Executable;

static Executable executable;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int open_file(void)
{
    const int file = memfd_create("dalembert-code", MFD_CLOEXEC | MFD_EXEC);
    return file >= 0 ? file : memfd_create("dalembert-code", MFD_CLOEXEC); /* an older kernel */
}

static void make(Executable *e)
{
    e->file = open_file();
    if (e->file < 0)
        return;
    void *memory = MAP_FAILED;
    if (ftruncate(e->file, EXECUTABLE_BYTES) == 0)
        memory = mmap(NULL, EXECUTABLE_BYTES, PROT_READ | PROT_EXEC, MAP_SHARED, e->file, 0);
    if (memory == MAP_FAILED) {
        close(e->file);
        return;
    }
    e->memory = memory;
}

/* Creates the file once, and again in a child of fork(), whose parent writes into its own. */
static bool ready(Executable *e)
{
    if (!e->tried || e->owner != getpid()) {
        *e = (Executable){.tried = true, .owner = getpid()};
        make(e);
    }
    return e->memory != NULL;
}

static size_t blocks_of(size_t n)
{
    return (n + BLOCK_BYTES - 1) / BLOCK_BYTES;
}

/* The first of `wanted` contiguous free blocks; BLOCKS if there are none. */
static size_t find(const Executable *e, size_t wanted)
{
    size_t run = 0;
    for (size_t b = 0; b < BLOCKS; b++) {
        run = e->taken[b] ? 0 : run + 1;
        if (run == wanted)
            return b + 1 - wanted;
    }
    return BLOCKS;
}

static bool write_all(int file, const uint8_t *bytes, size_t n, size_t at)
{
    while (n > 0) {
        const ssize_t written = pwrite(file, bytes, n, (off_t)at);
        if (written <= 0)
            return false;
        bytes += written;
        at += (size_t)written;
        n -= (size_t)written;
    }
    return true;
}

static void mark(Executable *e, size_t first, size_t n, bool taken)
{
    for (size_t b = first; b < first + n; b++)
        e->taken[b] = taken;
    e->used = taken ? e->used + n : e->used - n;
}

void *executable_new(const uint8_t *bytes, size_t n)
{
    Executable *e = &executable;
    const size_t wanted = blocks_of(n);
    void *at = NULL;

    pthread_mutex_lock(&mutex);
    if (ready(e) && n > 0) {
        const size_t first = find(e, wanted);
        if (first < BLOCKS && write_all(e->file, bytes, n, first * BLOCK_BYTES)) {
            mark(e, first, wanted, true);
            at = e->memory + first * BLOCK_BYTES;
        }
    }
    pthread_mutex_unlock(&mutex);
    return at;
}

void executable_free(void *at, size_t n)
{
    Executable *e = &executable;
    if (!at)
        return;
    pthread_mutex_lock(&mutex);
    const uintptr_t offset = (uintptr_t)at - (uintptr_t)e->memory;
    if (e->owner == getpid() && offset < EXECUTABLE_BYTES) /* not a parent's */
        mark(e, offset / BLOCK_BYTES, blocks_of(n), false);
    pthread_mutex_unlock(&mutex);
}

bool executable_possible(void)
{
    pthread_mutex_lock(&mutex);
    const bool possible = ready(&executable);
    pthread_mutex_unlock(&mutex);
    return possible;
}

size_t executable_used(void)
{
    pthread_mutex_lock(&mutex);
    const size_t used = executable.used * BLOCK_BYTES;
    pthread_mutex_unlock(&mutex);
    return used;
}
