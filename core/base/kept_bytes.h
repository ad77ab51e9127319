/* Memory kept as it is, but for the zeros in it, of which what is begun anew again and again mostly
 * consists. */
#ifndef CORE_BASE_KEPT_BYTES_H
#define CORE_BASE_KEPT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number of zeros, then a number of other bytes. */
typedef struct KeptPiece {
    uint32_t zeros, others;
} KeptPiece;

typedef struct KeptBytes {
    KeptPiece *pieces;
    size_t n_pieces;
    unsigned char *others; /* of all pieces, one after the other */
} KeptBytes;

/* False: out of memory. kept_bytes_done() in any case. */
bool kept_bytes_take(KeptBytes *kept, const void *from, size_t n);
/* As they were, to a place of the same size. */
void kept_bytes_put(const KeptBytes *kept, void *to);
void kept_bytes_done(KeptBytes *kept); /* {0} is fine */

#endif
