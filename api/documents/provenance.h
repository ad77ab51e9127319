/* Which program computed a result, where, and what it chose. */
#ifndef API_DOCUMENTS_PROVENANCE_H
#define API_DOCUMENTS_PROVENANCE_H

#include "api/json/writer.h"
#include "core/base/value.h"
#include "core/simulate.h"

/* Empty: not known. */
typedef struct Origin {
    char build[64]; /* an id of the executable file */
    char host[256];
} Origin;

/* The name of the program by which results of its runs are known to be the same, to the bit: its
 * build id, which the linker makes of all that is in it. NULL: not known. */
const char *origin_program(const Origin *origin);

/* The member "provenance". origin NULL: not known; choices, methods NULL: nothing is said of
 * them. */
void provenance_write(JsonWriter *writer, const Origin *origin, const Value *choices,
                      const MethodsUsed *methods);

#endif
