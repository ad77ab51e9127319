/* The member names of all objects that are still open, to find duplicates in linear time.
 *
 * The names form a stack: an object that closes removes its names, so the memory follows the open
 * objects, not the document. The first 16 names of an object are compared one by one. With the next
 * name, all of them enter a hash table with linear probing. The name that leaves the table is
 * always the newest, so its slot can simply be emptied: no other name was placed behind it. The
 * hash is keyed by random bytes: a client cannot choose names that collide. */
#ifndef API_JSON_KEYS_H
#define API_JSON_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct JsonKeyEntry {
    uint64_t hash;
    uint32_t start, length; /* of the decoded name in `names` */
    uint32_t depth;         /* of the object */
    bool placed;            /* it is in the table, under its hash */
} JsonKeyEntry;

typedef struct JsonKeys {
    uint64_t seed[2]; /* drawn with the first table */
    JsonKeyEntry *entries;
    size_t n_entries, entries_capacity;
    uint64_t *slots; /* the upper half of the hash, then the entry + 1; 0: empty */
    size_t n_slots;  /* a power of two, more than half of them empty; or 0 */
    char *names;     /* the decoded names, one after the other */
    size_t names_length, names_capacity;
} JsonKeys;

void json_keys_init(JsonKeys *keys);
void json_keys_done(JsonKeys *keys);

typedef enum JsonKeyAnswer { JSON_KEY_NEW, JSON_KEY_DUPLICATE, JSON_KEY_NO_MEMORY } JsonKeyAnswer;

/* Adds the name of a member of the object open at `depth` (ascending with nesting). The name is
 * copied. */
JsonKeyAnswer json_keys_add(JsonKeys *keys, uint32_t depth, const char *name, size_t length);

/* Forgets the names of the object open at `depth`, which must be the innermost one. */
void json_keys_close(JsonKeys *keys, uint32_t depth);

#endif
