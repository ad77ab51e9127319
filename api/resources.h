/* Answers about jobs that are done, and have told so whom they should, kept for those who ask
 * again: such a job never changes, it can only be deleted. Thread-safe; each job has its place, and
 * whoever comes later takes it. */
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

/* Appends the answer about this job; false when it is not there. */
bool resource_cache_find(ResourceCache *cache, const char *job_id, Text *out);
/* Keeps a copy, memory permitting, unless a job was forgotten since the mark: take that before the
 * job is read, so that an answer does not outlive its job. */
uint64_t resource_cache_mark(ResourceCache *cache);
void resource_cache_keep(ResourceCache *cache, uint64_t mark, const char *job_id, const Text *text);
/* After the job was deleted. */
void resource_cache_forget(ResourceCache *cache, const char *job_id);

#endif
