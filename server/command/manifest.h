/* manifest.json of a backup: what its database holds, and by which hash it is known. */
#ifndef SERVER_COMMAND_MANIFEST_H
#define SERVER_COMMAND_MANIFEST_H

#include "core/base/hash.h"
#include "core/base/text.h"
#include "db/backup.h"

#define MANIFEST_FILE "manifest.json"

/* A file by its content. */
typedef struct HashedFile {
    uint64_t bytes;
    char sha256[HASH_TEXT_MAX];
} HashedFile;

typedef struct Manifest {
    CopyFacts facts;
    HashedFile file;
    int64_t made_ms; /* Unix time */
} Manifest;

/* Appends the document. */
void manifest_write(const Manifest *manifest, Text *out);
/* Reads what the database must be. ERR_NOT_FOUND when there is no such file, ERR_INVALID when it is
 * no manifest. */
Status manifest_read(const char *path, HashedFile *ret_file, Error *err) MUST_CHECK;

/* Reads a file to its end; with a name `to` (or NULL) it is copied to that new file, for its owner
 * alone, which is on the disk when OK is returned. The thread's stop token is asked; progress
 * (bytes) may be NULL. */
typedef struct HashedRead {
    const char *from, *to;
    void *self;
    void (*progress)(void *self, uint64_t done, uint64_t total);
} HashedRead;
Status hashed_read(const HashedRead *read, HashedFile *ret_file, Error *err) MUST_CHECK;

#endif
