/* Memory as pieces of zeros and of others: zeros need not be read to be put back. */
#include "core/base/kept_bytes.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

/* Pieces are of whole blocks, but for the end, and no longer than what is cleared by plain stores.
 * Fewer zeros than a gap has are kept like others. */
enum { BLOCK = 64, GAP = 4 * BLOCK, LONGEST = 16 * BLOCK };

static bool is_zero(const unsigned char *bytes, size_t n)
{
    unsigned char any = 0;

    for (size_t k = 0; k < n; k++)
        any |= bytes[k];
    return any == 0;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many bytes from here on, in whole blocks, are zeros. */
static size_t count_zeros(const unsigned char *from, size_t n)
{
    size_t length = 0;

    while (length < n && length < LONGEST && is_zero(from + length, least(BLOCK, n - length)))
        length += least(BLOCK, n - length);
    return length;
}

/* The same before a gap. */
static size_t count_others(const unsigned char *from, size_t n)
{
    size_t length = 0;

    while (length < n && length < LONGEST && !is_zero(from + length, least(GAP, n - length)))
        length += least(BLOCK, n - length);
    return length;
}

bool kept_bytes_take(KeptBytes *kept, const void *from, size_t n)
{
    const unsigned char *bytes = from;
    size_t n_others = 0;

    *kept = (KeptBytes){.pieces = alloc_array(n / BLOCK + 1, sizeof *kept->pieces),
                        .others = alloc_array(n, 1)};
    if (!kept->pieces || !kept->others)
        return false;
    for (size_t at = 0; at < n;) {
        const size_t zeros = count_zeros(bytes + at, n - at);
        const size_t others = count_others(bytes + at + zeros, n - at - zeros);
        memcpy(kept->others + n_others, bytes + at + zeros, others);
        kept->pieces[kept->n_pieces++] =
            (KeptPiece){.zeros = (uint32_t)zeros, .others = (uint32_t)others};
        n_others += others;
        at += zeros + others;
    }
    return true;
}

void kept_bytes_put(const KeptBytes *kept, void *to)
{
    const unsigned char *others = kept->others;
    unsigned char *at = to;

    for (const KeptPiece *p = kept->pieces; p < kept->pieces + kept->n_pieces; p++) {
        memset(at, 0, p->zeros);
        memcpy(at + p->zeros, others, p->others);
        at += p->zeros + p->others;
        others += p->others;
    }
}

void kept_bytes_done(KeptBytes *kept)
{
    free(kept->pieces);
    free(kept->others);
    *kept = (KeptBytes){0};
}
