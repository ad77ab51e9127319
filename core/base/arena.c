/* Arenas: blocks from the heap, filled from the front. Each block is twice the size of the one
 * before, up to LARGEST_BLOCK.
 *
 * The work arrays of a function mostly fit into one small block. The heap keeps small blocks in a
 * list of each thread (glibc: up to 1032 bytes), at a tenth of the cost of a larger one. */
#include "core/base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
enum { GAP = alignof(max_align_t) }; /* poisoned bytes after each allocation */
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
enum { GAP = 0 };
#endif

typedef struct ArenaBlock {
    struct ArenaBlock *next;
    size_t used, size;
    alignas(max_align_t) unsigned char data[];
} Block;

/* Bytes of data. An arena with a limit holds the findings of a run: a larger first block. */
enum {
    SMALLEST_BLOCK = 1024 - sizeof(Block),
    SMALLEST_LIMITED = 8192 - sizeof(Block),
    LARGEST_BLOCK = 32 * 1024
};

Arena *arena_new(size_t max_bytes)
{
    Arena *arena = calloc(1, sizeof *arena);
    if (arena)
        arena->max = max_bytes;
    return arena;
}

static void drop_block(Arena *arena)
{
    Block *block = arena->blocks;
    arena->blocks = block->next;
    ASAN_UNPOISON_MEMORY_REGION(block->data, block->size);
    free(block);
}

/* The new block becomes the newest of the arena. */
static Block *new_block(Arena *arena, size_t size)
{
    Block *block = malloc(sizeof *block + size);
    if (block) {
        *block = (Block){.next = arena->blocks, .size = size};
        ASAN_POISON_MEMORY_REGION(block->data, size);
        arena->blocks = block;
    }
    return block;
}

void arena_reset(Arena *arena)
{
    while (arena->blocks)
        drop_block(arena);
    arena->total = 0;
    arena->failed = false;
}

void arena_clear(Arena *arena)
{
    const size_t total = arena->total;
    Block *block = arena->blocks;

    if (block && block->next) {
        arena_reset(arena);
        block = new_block(arena, total);
    }
    if (block) {
        ASAN_POISON_MEMORY_REGION(block->data, block->used);
        block->used = 0;
    }
    arena->total = 0;
    arena->failed = false;
}

void arena_done(Arena *arena)
{
    arena_reset(arena);
    *arena = (Arena){0};
}

void arena_free(Arena *arena)
{
    if (!arena)
        return;
    arena_reset(arena);
    free(arena);
}

ArenaMark arena_mark(const Arena *arena)
{
    const Block *block = arena->blocks;
    return (ArenaMark){
        .block = arena->blocks, .used = block ? block->used : 0, .total = arena->total};
}

void arena_release(Arena *arena, ArenaMark mark)
{
    while (arena->blocks != mark.block)
        drop_block(arena);
    if (mark.block) {
        ASAN_POISON_MEMORY_REGION(mark.block->data + mark.used, mark.block->used - mark.used);
        mark.block->used = mark.used;
    }
    arena->total = mark.total;
}

bool arena_failed(const Arena *arena)
{
    return !arena || arena->failed;
}

void arena_fail(Arena *arena)
{
    if (arena)
        arena->failed = true;
}

Status arena_status(const Arena *arena, Error *err)
{
    return arena_failed(arena) ? error_set(err, ERR_NO_MEMORY, "out of memory") : OK;
}

/* A block with room for at least `bytes` bytes becomes the newest. */
static Block *add_block(Arena *arena, size_t bytes)
{
    const size_t first = arena->max ? SMALLEST_LIMITED : SMALLEST_BLOCK;
    size_t size = arena->blocks ? 2 * arena->blocks->size : first;
    if (size > LARGEST_BLOCK)
        size = LARGEST_BLOCK;
    return new_block(arena, size < bytes ? bytes : size);
}

/* The bytes with alignment and gap. Sizes below SIZE_MAX / 2 do not overflow. */
static size_t whole(size_t bytes)
{
    const size_t align = alignof(max_align_t);

    bytes = (bytes + align - 1) / align * align;
    return (bytes ? bytes : align) + GAP;
}

/* An allocation that the newest block has no room for. */
static __attribute__((noinline)) void *take_new_block(Arena *arena, size_t bytes)
{
    const size_t needed = bytes > SIZE_MAX / 2 ? 0 : whole(bytes);
    Block *block = needed && !(arena->max && needed > arena->max - arena->total)
                       ? add_block(arena, needed)
                       : NULL;
    if (!block) {
        arena->failed = true;
        return NULL;
    }
    block->used = needed;
    arena->total += needed;
    ASAN_UNPOISON_MEMORY_REGION(block->data, needed - GAP);
    return block->data;
}

/* Bytes that hold anything. */
static void *take(Arena *arena, size_t bytes)
{
    if (!arena)
        return NULL;
    Block *block = arena->blocks;
    if (!block || bytes > block->size || whole(bytes) > block->size - block->used ||
        (arena->max && whole(bytes) > arena->max - arena->total))
        return take_new_block(arena, bytes);
    void *memory = block->data + block->used;
    block->used += whole(bytes);
    arena->total += whole(bytes);
    ASAN_UNPOISON_MEMORY_REGION(memory, whole(bytes) - GAP);
    return memory;
}

static size_t bytes_of(size_t n, size_t size)
{
    size_t bytes;
    return __builtin_mul_overflow(n, size, &bytes) ? SIZE_MAX : bytes;
}

void *arena_alloc(Arena *arena, size_t n, size_t size)
{
    const size_t bytes = bytes_of(n, size);
    void *memory = take(arena, bytes);
    return memory ? memset(memory, 0, whole(bytes) - GAP) : NULL;
}

double *arena_raw_doubles(Arena *arena, size_t n)
{
    return take(arena, bytes_of(n, sizeof(double)));
}

double *arena_doubles(Arena *arena, size_t n)
{
    return arena_alloc(arena, n, sizeof(double));
}

void arena_pieces(Arena *arena, const ArenaPiece *pieces, size_t n_pieces)
{
    size_t total = 0;

    for (size_t k = 0; k < n_pieces; k++)
        if (__builtin_add_overflow(total, pieces[k].n, &total))
            total = SIZE_MAX; /* too much for any arena: nothing is added to it */
    /* with AddressSanitizer each array has its own gap */
    double *next = GAP == 0 ? arena_doubles(arena, total) : NULL;
    for (size_t k = 0; k < n_pieces; k++) {
        *pieces[k].array = GAP == 0 ? next : arena_doubles(arena, pieces[k].n);
        next += next ? pieces[k].n : 0;
    }
}

size_t *arena_sizes(Arena *arena, size_t n)
{
    return arena_alloc(arena, n, sizeof(size_t));
}

double *arena_copy_doubles(Arena *arena, const double *values, size_t n)
{
    double *copy = arena_doubles(arena, n);
    if (copy && n)
        memcpy(copy, values, n * sizeof *copy);
    return copy;
}

char *arena_strndup(Arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1, 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

char *arena_strdup(Arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(Arena *arena, const char *format, va_list args)
{
    char short_text[256];
    va_list again;
    va_copy(again, args);
    const int length = vsnprintf(short_text, sizeof short_text, format, args);
    char *text = length < 0 ? NULL : arena_alloc(arena, (size_t)length + 1, 1);
    if (text && (size_t)length < sizeof short_text)
        memcpy(text, short_text, (size_t)length);
    else if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *arena_printf(Arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

char *arena_join(Arena *arena, const char *first, const char *second, const char *third)
{
    const size_t a = strlen(first), b = strlen(second), c = strlen(third);
    char *text = arena_alloc(arena, a + b + c + 1, 1);
    if (text) {
        memcpy(text, first, a);
        memcpy(text + a, second, b);
        memcpy(text + a + b, third, c);
    }
    return text;
}
