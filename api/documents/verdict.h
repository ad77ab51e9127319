/* Verdicts as JSON. */
#ifndef API_DOCUMENTS_VERDICT_H
#define API_DOCUMENTS_VERDICT_H

#include "api/json/writer.h"
#include "core/invariants/verdict.h"

/* Writes a member with an array of verdicts. */
void verdicts_write(JsonWriter *writer, const char *name, const Verdict *verdicts, size_t n);

#endif
