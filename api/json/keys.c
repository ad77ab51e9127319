/* The names of the members of all open objects, to find duplicate names: a stack, and a hash table
 * for the objects with more than FEW names. */
#include "api/json/keys.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "core/base/clock.h"
#include "core/base/memory.h"

/* Up to this number of names of an object, a new name is compared with each of them. */
enum { FEW = 16 };

/* The bytes of names and the number of names in the first allocation. */
enum { FIRST_BYTES = 512, FIRST_NAMES = 32 };

void json_keys_init(JsonKeys *keys)
{
    memset(keys, 0, sizeof *keys);
}

static void draw_seed(JsonKeys *keys)
{
    if (getrandom(keys->seed, sizeof keys->seed, 0) != (ssize_t)sizeof keys->seed) {
        double now = clock_seconds();
        memcpy(keys->seed, &now, sizeof now);
        keys->seed[1] = (uint64_t)(uintptr_t)keys;
    }
}

void json_keys_done(JsonKeys *keys)
{
    free(keys->entries);
    free(keys->slots);
    free(keys->names);
}

static uint64_t key_rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static void sip_round(uint64_t v[4])
{
    v[0] += v[1], v[1] = key_rotate(v[1], 13) ^ v[0], v[0] = key_rotate(v[0], 32);
    v[2] += v[3], v[3] = key_rotate(v[3], 16) ^ v[2];
    v[0] += v[3], v[3] = key_rotate(v[3], 21) ^ v[0];
    v[2] += v[1], v[1] = key_rotate(v[1], 17) ^ v[2], v[2] = key_rotate(v[2], 32);
}

/* SipHash-1-3 (Aumasson, Bernstein 2012) of the name, then of the depth. Words are read in the
 * machine's byte order: the value never leaves the process. */
static uint64_t key_hash(const uint64_t seed[2], uint32_t depth, const char *name, size_t length)
{
    uint64_t v[4] = {seed[0] ^ 0x736f6d6570736575u, seed[1] ^ 0x646f72616e646f6du,
                     seed[0] ^ 0x6c7967656e657261u, seed[1] ^ 0x7465646279746573u};
    uint64_t word;
    size_t left = length;

    /* the whole words of the name */
    for (; left >= 8; left -= 8, name += 8) {
        memcpy(&word, name, 8);
        v[3] ^= word;
        sip_round(v);
        v[0] ^= word;
    }
    /* the remaining bytes and the length make the last word */
    word = 0;
    memcpy(&word, name, left);
    word ^= (uint64_t)(length & 255) << 56;
    v[3] ^= word;
    sip_round(v);
    v[0] ^= word;
    /* the depth is one more word */
    v[3] ^= depth;
    sip_round(v);
    v[0] ^= depth;
    v[2] ^= 255;
    for (int i = 0; i < 3; i++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* The slot at which the probing for a hash begins. The lower half of the hash chooses the slot. The
 * upper half is stored in the slot, so most other names differ without a look at their entry. */
static size_t first_slot(const JsonKeys *keys, uint64_t hash)
{
    return (size_t)hash & (keys->n_slots - 1);
}

static uint64_t slot_value(uint64_t hash, size_t entry)
{
    return (hash & ~(uint64_t)UINT32_MAX) | (entry + 1);
}

static void key_place(JsonKeys *keys, uint64_t hash, size_t entry)
{
    size_t i = first_slot(keys, hash);
    while (keys->slots[i])
        i = (i + 1) & (keys->n_slots - 1);
    keys->slots[i] = slot_value(hash, entry);
}

/* Doubles the table. The oldest entries are placed first, so the newest is still the last in its
 * chain. */
static bool slots_grow(JsonKeys *keys)
{
    size_t n = keys->n_slots ? 2 * keys->n_slots : 4 * (size_t)FEW;
    while (n < 2 * (keys->n_entries + 1))
        n *= 2;
    uint64_t *slots = alloc_array(n, sizeof *slots);
    if (!slots)
        return false;
    if (!keys->slots)
        draw_seed(keys);
    free(keys->slots);
    keys->slots = slots;
    keys->n_slots = n;
    for (size_t k = 0; k < keys->n_entries; k++)
        if (keys->entries[k].placed)
            key_place(keys, keys->entries[k].hash, k);
    return true;
}

static bool make_room(JsonKeys *keys, size_t length)
{
    const size_t names = keys->n_entries + 1, bytes = keys->names_length + length + 1;
    if (names <= keys->entries_capacity && bytes <= keys->names_capacity)
        return true;
    if (keys->n_entries >= UINT32_MAX - 1 || bytes > UINT32_MAX)
        return false;
    return grow_array(&keys->entries, &keys->entries_capacity,
                      names > FIRST_NAMES ? names : FIRST_NAMES, sizeof *keys->entries) &&
           grow_array(&keys->names, &keys->names_capacity,
                      bytes > FIRST_BYTES ? bytes : FIRST_BYTES, 1);
}

static bool is_name(const JsonKeys *keys, size_t entry, uint32_t depth, const char *name,
                    size_t length)
{
    const JsonKeyEntry *e = &keys->entries[entry];
    return e->depth == depth && e->length == length &&
           memcmp(keys->names + e->start, name, length) == 0;
}

/* The number of names of the object open at the depth, counted up to FEW + 1: the last entries. */
static size_t names_of(const JsonKeys *keys, uint32_t depth)
{
    size_t n = 0;
    while (n <= FEW && n < keys->n_entries && keys->entries[keys->n_entries - 1 - n].depth == depth)
        n++;
    return n;
}

static bool among_few(const JsonKeys *keys, size_t n, uint32_t depth, const char *name,
                      size_t length)
{
    for (size_t k = keys->n_entries - n; k < keys->n_entries; k++)
        if (is_name(keys, k, depth, name, length))
            return true;
    return false;
}

static bool in_table(const JsonKeys *keys, uint64_t hash, uint32_t depth, const char *name,
                     size_t length)
{
    for (size_t i = first_slot(keys, hash); keys->slots[i]; i = (i + 1) & (keys->n_slots - 1))
        if (keys->slots[i] >> 32 == hash >> 32 &&
            is_name(keys, (uint32_t)keys->slots[i] - 1, depth, name, length))
            return true;
    return false;
}

static void place_entry(JsonKeys *keys, size_t k)
{
    JsonKeyEntry *entry = &keys->entries[k];
    entry->hash = key_hash(keys->seed, entry->depth, keys->names + entry->start, entry->length);
    entry->placed = true;
    key_place(keys, entry->hash, k);
}

/* The answer for an object with at least FEW names. The FEW names before enter the table together
 * with the first name beyond them. */
static JsonKeyAnswer answer_of_many(JsonKeys *keys, uint32_t depth, const char *name, size_t length)
{
    if (2 * (keys->n_entries + 1) > keys->n_slots && !slots_grow(keys))
        return JSON_KEY_NO_MEMORY;
    if (!keys->entries[keys->n_entries - 1].placed)
        for (size_t k = keys->n_entries - FEW; k < keys->n_entries; k++)
            place_entry(keys, k);
    const uint64_t hash = key_hash(keys->seed, depth, name, length);
    return in_table(keys, hash, depth, name, length) ? JSON_KEY_DUPLICATE : JSON_KEY_NEW;
}

JsonKeyAnswer json_keys_add(JsonKeys *keys, uint32_t depth, const char *name, size_t length)
{
    if (!make_room(keys, length))
        return JSON_KEY_NO_MEMORY;

    /* is the name a duplicate? */
    const size_t n = names_of(keys, depth);
    JsonKeyAnswer answer = JSON_KEY_NEW;
    if (n >= FEW)
        answer = answer_of_many(keys, depth, name, length);
    else if (among_few(keys, n, depth, name, length))
        answer = JSON_KEY_DUPLICATE;
    if (answer != JSON_KEY_NEW)
        return answer;

    /* copy the name, and enter it into the table if the object has many names */
    keys->entries[keys->n_entries++] = (JsonKeyEntry){
        .start = (uint32_t)keys->names_length, .length = (uint32_t)length, .depth = depth};
    if (length)
        memcpy(keys->names + keys->names_length, name, length);
    keys->names_length += length;
    if (n >= FEW)
        place_entry(keys, keys->n_entries - 1);
    return JSON_KEY_NEW;
}

void json_keys_close(JsonKeys *keys, uint32_t depth)
{
    while (keys->n_entries > 0 && keys->entries[keys->n_entries - 1].depth == depth) {
        const JsonKeyEntry *entry = &keys->entries[--keys->n_entries];
        keys->names_length = entry->start;
        if (!entry->placed)
            continue;
        uint64_t value = slot_value(entry->hash, keys->n_entries);
        size_t i = first_slot(keys, entry->hash);
        while (keys->slots[i] != value)
            i = (i + 1) & (keys->n_slots - 1);
        keys->slots[i] = 0;
    }
}
