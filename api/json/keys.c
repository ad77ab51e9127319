#include "api/json/keys.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "core/base/clock.h"
#include "core/base/memory.h"

void json_keys_init(JsonKeys *keys)
{
    memset(keys, 0, sizeof *keys);
    if (getrandom(keys->seed, sizeof keys->seed, 0) != (ssize_t)sizeof keys->seed) {
        double now = clock_seconds();
        memcpy(keys->seed, &now, sizeof now);
        keys->seed[1] = (uint64_t)(uintptr_t)keys;
    }
}

void json_keys_done(JsonKeys *keys)
{
    free(keys->entries);
    free(keys->buckets);
    free(keys->names);
}

static uint64_t rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static void sip_round(uint64_t v[4])
{
    v[0] += v[1], v[1] = rotate(v[1], 13) ^ v[0], v[0] = rotate(v[0], 32);
    v[2] += v[3], v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3], v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1], v[1] = rotate(v[1], 17) ^ v[2], v[2] = rotate(v[2], 32);
}

/* SipHash-1-3 (Aumasson, Bernstein 2012) of the name, then of the depth. Words are read in the
 * machine's byte order: the value never leaves the process. */
static uint64_t key_hash(const uint64_t seed[2], uint32_t depth, const char *name, size_t length)
{
    uint64_t v[4] = {seed[0] ^ 0x736f6d6570736575u, seed[1] ^ 0x646f72616e646f6du,
                     seed[0] ^ 0x6c7967656e657261u, seed[1] ^ 0x7465646279746573u};
    uint64_t word;
    size_t left = length;

    for (; left >= 8; left -= 8, name += 8) {
        memcpy(&word, name, 8);
        v[3] ^= word;
        sip_round(v);
        v[0] ^= word;
    }
    word = 0;
    memcpy(&word, name, left);
    word ^= (uint64_t)(length & 255) << 56;
    v[3] ^= word;
    sip_round(v);
    v[0] ^= word;
    v[3] ^= depth;
    sip_round(v);
    v[0] ^= depth;
    v[2] ^= 255;
    for (int i = 0; i < 3; i++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static uint32_t *bucket_of(const JsonKeys *keys, uint64_t hash)
{
    return &keys->buckets[hash & (keys->n_buckets - 1)];
}

/* Doubles the buckets. Entries are chained again oldest first, so that every chain still starts
 * with its newest entry. */
static bool buckets_grow(JsonKeys *keys)
{
    size_t n = keys->n_buckets ? 2 * keys->n_buckets : 64;
    uint32_t *buckets = alloc_array(n, sizeof *buckets);
    if (!buckets)
        return false;
    free(keys->buckets);
    keys->buckets = buckets;
    keys->n_buckets = n;
    for (size_t i = 0; i < keys->n_entries; i++) {
        uint32_t *bucket = bucket_of(keys, keys->entries[i].hash);
        keys->entries[i].next = *bucket;
        *bucket = (uint32_t)(i + 1);
    }
    return true;
}

static bool make_room(JsonKeys *keys, size_t length)
{
    if (keys->n_entries >= UINT32_MAX - 1)
        return false;
    if (keys->n_entries >= keys->n_buckets && !buckets_grow(keys))
        return false;
    return grow_array(&keys->entries, &keys->entries_capacity, keys->n_entries + 1,
                      sizeof *keys->entries) &&
           grow_array(&keys->names, &keys->names_capacity, keys->names_length + length + 1, 1);
}

JsonKeyAnswer json_keys_add(JsonKeys *keys, uint32_t depth, const char *name, size_t length)
{
    if (!make_room(keys, length))
        return JSON_KEY_NO_MEMORY;

    uint64_t hash = key_hash(keys->seed, depth, name, length);
    uint32_t *bucket = bucket_of(keys, hash);
    for (uint32_t i = *bucket; i; i = keys->entries[i - 1].next) {
        const JsonKeyEntry *old = &keys->entries[i - 1];
        if (old->hash == hash && old->depth == depth && old->length == length &&
            memcmp(keys->names + old->start, name, length) == 0)
            return JSON_KEY_DUPLICATE;
    }

    keys->entries[keys->n_entries] = (JsonKeyEntry){
        .hash = hash,
        .start = keys->names_length,
        .length = length,
        .next = *bucket,
        .depth = depth,
    };
    *bucket = (uint32_t)++keys->n_entries;
    memcpy(keys->names + keys->names_length, name, length);
    keys->names_length += length;
    return JSON_KEY_NEW;
}

void json_keys_close(JsonKeys *keys, uint32_t depth)
{
    while (keys->n_entries > 0 && keys->entries[keys->n_entries - 1].depth == depth) {
        const JsonKeyEntry *entry = &keys->entries[--keys->n_entries];
        *bucket_of(keys, entry->hash) = entry->next;
        keys->names_length = entry->start;
    }
}
