/* A look into a document without reading it as a whole: to show its mistakes, and to find its
 * kind. */
#ifndef API_DOCUMENTS_PEEK_H
#define API_DOCUMENTS_PEEK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"

/* The text at a pointer (RFC 6901), copied into the arena; NULL if there is none, or no JSON. */
const char *document_text(const char *bytes, size_t size, const char *pointer, Arena *arena);

/* The object that is the member `name` of the document, as written; NULL if there is none, or no
 * JSON. */
const char *document_object(const char *bytes, size_t size, const char *name, size_t *ret_length);

/* Is this a job (it has a model inside, an initial state or times), not a model? */
bool document_is_job(const char *bytes, size_t size);

#endif
