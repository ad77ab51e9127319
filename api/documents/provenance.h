/* The program that computed a result, its host, and its choices. */
#ifndef API_DOCUMENTS_PROVENANCE_H
#define API_DOCUMENTS_PROVENANCE_H

#include "api/json/writer.h"
#include "core/base/value.h"
#include "core/simulate.h"

/* Empty texts: unknown. */
typedef struct Origin {
    char build[64]; /* an id of the executable file */
    char host[256];
} Origin;

/* The build id of the program, which the linker derives from its whole contents: equal programs
 * give equal results, to the bit. NULL: unknown. */
const char *origin_program(const Origin *origin);

/* Writes the member "provenance". origin NULL: unknown; choices, methods NULL: left out. */
void provenance_write(JsonWriter *writer, const Origin *origin, const Value *choices,
                      const MethodsUsed *methods);

#endif
