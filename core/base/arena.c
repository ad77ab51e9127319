#include "core/base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 32 * 1024 };

typedef struct Block {
    struct Block *next;
    size_t used, size;
    alignas(max_align_t) unsigned char data[];
} Block;

struct Arena {
    Block *blocks; /* the newest first; only it is filled further */
    size_t total, max;
};

Arena *arena_new(size_t max_bytes)
{
    Arena *arena = calloc(1, sizeof *arena);
    if (arena)
        arena->max = max_bytes;
    return arena;
}

void arena_reset(Arena *arena)
{
    while (arena->blocks) {
        Block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    arena->total = 0;
}

void arena_free(Arena *arena)
{
    if (!arena)
        return;
    arena_reset(arena);
    free(arena);
}

static Block *block_add(Arena *arena, size_t bytes)
{
    size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    Block *block = calloc(1, sizeof *block + size);
    if (block) {
        block->size = size;
        block->next = arena->blocks;
        arena->blocks = block;
    }
    return block;
}

void *arena_alloc(Arena *arena, size_t n, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (size && n > (SIZE_MAX / 2) / size)
        return NULL;
    size_t bytes = (n * size + align - 1) / align * align;
    if (bytes == 0)
        bytes = align;
    if (bytes > arena->max - arena->total)
        return NULL;

    Block *block = arena->blocks;
    if (!block || block->size - block->used < bytes)
        block = block_add(arena, bytes);
    if (!block)
        return NULL;
    void *memory = block->data + block->used;
    block->used += bytes;
    arena->total += bytes;
    return memory;
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

char *arena_printf(Arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = length < 0 ? NULL : arena_alloc(arena, (size_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
