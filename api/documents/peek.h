/* A look into a document apart from reading it: for showing its mistakes, and what kind it is. */
#ifndef API_DOCUMENTS_PEEK_H
#define API_DOCUMENTS_PEEK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"

/* The text at a pointer (RFC 6901), copied into the arena; NULL when there is none, or no JSON. */
const char *document_text(const char *bytes, size_t size, const char *pointer, Arena *arena);

/* The object that is the member `name` of the document, as it is written there; NULL when there is
 * none, or no JSON. */
const char *document_object(const char *bytes, size_t size, const char *name, size_t *ret_length);

/* Whether this is a job (it has a model inside, an initial state or times) rather than a model. */
bool document_is_job(const char *bytes, size_t size);

#endif
