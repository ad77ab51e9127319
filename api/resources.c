/* Answers about jobs that are done: a table of fixed size, indexed by a hash of the job's id. */
#include "api/resources.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/memory.h"
#include "db/store.h"

/* Longer answers, with a page of warnings, are not kept. */
enum { ANSWER_MAX = 8 * 1024 };

typedef struct Place {
    int64_t tenant;
    char job_id[JOB_ID_MAX]; /* "": free */
    Text text;
} Place;

struct ResourceCache {
    pthread_mutex_t lock; /* held for the copy of a few kilobytes */
    Place *places;        /* n */
    size_t n;
    uint64_t forgotten; /* jobs that were forgotten */
};

ResourceCache *resource_cache_new(size_t places)
{
    ResourceCache *cache = calloc(1, sizeof *cache);
    if (!cache)
        return NULL;
    cache->n = places ? places : 1;
    cache->places = alloc_array(cache->n, sizeof *cache->places);
    if (!cache->places || pthread_mutex_init(&cache->lock, NULL) != 0) {
        free(cache->places);
        free(cache);
        return NULL;
    }
    return cache;
}

void resource_cache_free(ResourceCache *cache)
{
    if (!cache)
        return;
    for (size_t i = 0; i < cache->n; i++)
        text_done(&cache->places[i].text);
    pthread_mutex_destroy(&cache->lock);
    free(cache->places);
    free(cache);
}

/* Ids are made by this service, so clients cannot choose colliding ids. */
static Place *place_of(ResourceCache *cache, const char *job_id)
{
    return &cache->places[hash_quick(job_id, strlen(job_id)) % cache->n];
}

bool resource_cache_find(ResourceCache *cache, int64_t tenant, const char *job_id, Text *out)
{
    if (!cache)
        return false;
    pthread_mutex_lock(&cache->lock);
    const Place *place = place_of(cache, job_id);
    const bool found = *job_id && place->tenant == tenant && strcmp(place->job_id, job_id) == 0;
    if (found)
        text_append(out, place->text.data, place->text.length);
    pthread_mutex_unlock(&cache->lock);
    return found;
}

uint64_t resource_cache_mark(ResourceCache *cache)
{
    if (!cache)
        return 0;
    pthread_mutex_lock(&cache->lock);
    const uint64_t mark = cache->forgotten;
    pthread_mutex_unlock(&cache->lock);
    return mark;
}

void resource_cache_keep(ResourceCache *cache, uint64_t mark, int64_t tenant, const char *job_id,
                         const Text *text)
{
    if (!cache || !text_ok(text) || text->length > ANSWER_MAX || strlen(job_id) >= JOB_ID_MAX)
        return;
    pthread_mutex_lock(&cache->lock);
    /* no job was deleted since the mark */
    if (mark == cache->forgotten) {
        Place *place = place_of(cache, job_id);
        text_reset(&place->text);
        text_append(&place->text, text->data, text->length);
        const bool kept = text_ok(&place->text);
        place->tenant = tenant;
        snprintf(place->job_id, sizeof place->job_id, "%s", kept ? job_id : "");
        if (!kept)
            text_done(&place->text);
    }
    pthread_mutex_unlock(&cache->lock);
}

void resource_cache_forget(ResourceCache *cache, const char *job_id)
{
    if (!cache)
        return;
    pthread_mutex_lock(&cache->lock);
    Place *place = place_of(cache, job_id);
    if (strcmp(place->job_id, job_id) == 0)
        place->job_id[0] = '\0';
    cache->forgotten++;
    pthread_mutex_unlock(&cache->lock);
}
