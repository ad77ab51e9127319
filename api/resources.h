/* Answers to the owners of jobs that are done and whose notifications are over, for repeated
 * requests. Such a job never changes; it can only be deleted. Thread-safe. Each job has one place
 * in the table; a later job with the same place replaces it. */
#ifndef API_RESOURCES_H
#define API_RESOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/text.h"

typedef struct ResourceCache ResourceCache;

ResourceCache *resource_cache_new(size_t places); /* NULL when out of memory */
void resource_cache_free(ResourceCache *cache);   /* NULL is fine */

/* A cache that is NULL is empty. */

/* Appends the answer to this tenant about this job; false if it is not there. */
bool resource_cache_find(ResourceCache *cache, int64_t tenant, const char *job_id, Text *out);
/* Keeps a copy, if there is enough memory and no job was forgotten since the mark. Take the mark
 * before the job is read: then an answer never outlives its job. */
uint64_t resource_cache_mark(ResourceCache *cache);
void resource_cache_keep(ResourceCache *cache, uint64_t mark, int64_t tenant, const char *job_id,
                         const Text *text);
/* Call it after the job was deleted. */
void resource_cache_forget(ResourceCache *cache, const char *job_id);

#endif
