/* A verdict as JSON. */
#ifndef API_DOCUMENTS_VERDICT_H
#define API_DOCUMENTS_VERDICT_H

#include "api/json/writer.h"
#include "core/invariants/verdict.h"

void verdict_write(JsonWriter *writer, const Verdict *verdict);

#endif
