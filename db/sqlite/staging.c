/* A directory filled beside its place and renamed when it is whole. */
#define _GNU_SOURCE /* realpath */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/backup.h"
#include "db/sqlite/sqlite_store.h"

/* The files that may be in it. Others are not ours: they stay, and so does the directory. */
static const char *const FILES[] = {STORE_FILE,        STORE_FILE "-wal",
                                    STORE_FILE "-shm", STORE_FILE "-journal",
                                    "manifest.json",   "manifest.json.part"};
enum { N_FILES = sizeof FILES / sizeof FILES[0] };

static Status staging_error(Error *err, const char *what, const char *path)
{
    const Status status = errno == ENOSPC || errno == EDQUOT ? ERR_NO_SPACE : ERR_IO;
    return error_set(err, status, "cannot %s '%s': %s", what, path, strerror(errno));
}

static Status check_empty(const char *path, Error *err)
{
    DIR *directory = opendir(path);
    bool empty = true;
    if (!directory)
        return staging_error(err, "use the directory", path);
    for (const struct dirent *entry; (entry = readdir(directory)) && empty;)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    closedir(directory);
    return empty
               ? OK
               : error_set(err, ERR_CONFLICT,
                           "'%s' is not empty; give the name of a new or an empty directory", path);
}

/* Fills in the target's name. An empty directory is replaced, so it must be named by itself, not by
 * a link. */
static Status find_target(Staging *staging, const char *target, bool may_be_empty, Error *err)
{
    struct stat info;
    size_t length = strlen(target);
    while (length > 1 && target[length - 1] == '/')
        length--;
    if (length == 0 || length + sizeof ".part" > PATH_MAX)
        return error_set(err, ERR_INVALID, "the directory has no usable name");
    snprintf(staging->target, PATH_MAX, "%.*s", (int)length, target);
    if (lstat(staging->target, &info) != 0)
        return errno == ENOENT ? OK : staging_error(err, "use", staging->target);
    if (!may_be_empty)
        return error_set(err, ERR_CONFLICT, "'%s' exists; give the name of a new directory",
                         staging->target);
    char *real = realpath(staging->target, NULL);
    if (!real || strlen(real) + sizeof ".part" > PATH_MAX) {
        free(real);
        return staging_error(err, "use", staging->target);
    }
    snprintf(staging->target, PATH_MAX, "%s", real);
    free(real);
    return check_empty(staging->target, err);
}

static void remove_files(const Staging *staging)
{
    for (size_t i = 0; i < N_FILES; i++)
        unlinkat(staging->directory, FILES[i], 0);
}

/* Opens and locks the directory, which may be there from a process that was killed. */
static Status take_directory(Staging *staging, Error *err)
{
    struct stat here, there;
    staging->directory = open(staging->part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (staging->directory < 0)
        return staging_error(err, "open the directory", staging->part);
    /* it may have been renamed or removed by who had the lock until now */
    if (flock(staging->directory, LOCK_EX | LOCK_NB) != 0 ||
        fstat(staging->directory, &here) != 0 || stat(staging->part, &there) != 0 ||
        here.st_ino != there.st_ino || here.st_dev != there.st_dev)
        return error_set(err, ERR_CONFLICT, "'%s' is being filled by another process",
                         staging->part);
    remove_files(staging);
    return OK;
}

Status staging_begin(Staging *staging, const char *target, bool may_be_empty, Error *err)
{
    staging->directory = -1;
    Status status = find_target(staging, target, may_be_empty, err);
    if (status != OK)
        return status;
    snprintf(staging->part, PATH_MAX, "%.*s.part", PATH_MAX - 6, staging->target);
    if (mkdir(staging->part, 0700) != 0 && errno != EEXIST)
        return staging_error(err, "make the directory", staging->part);
    status = take_directory(staging, err);
    if (status != OK && staging->directory >= 0) {
        close(staging->directory);
        staging->directory = -1;
    }
    return status;
}

/* Writes a file that is not there yet, and has it on the disk. */
static Status write_file(const char *path, const char *text, mode_t mode, Error *err)
{
    const size_t size = strlen(text);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    if (file < 0)
        return staging_error(err, "make", path);
    errno = ENOSPC; /* of a write that takes a part */
    Status status = write(file, text, size) == (ssize_t)size && fsync(file) == 0
                        ? OK
                        : staging_error(err, "write", path);
    close(file);
    if (status != OK)
        unlink(path);
    return status;
}

Status staging_write(const Staging *staging, const char *name, const char *text, Error *err)
{
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s", staging->part, name);
    return write_file(path, text, 0600, err);
}

Status staging_publish(Staging *staging, Error *err)
{
    char parent[PATH_MAX + 4];
    for (size_t i = 0; i < N_FILES; i++)
        if (strncmp(FILES[i], STORE_FILE "-", strlen(STORE_FILE "-")) == 0)
            unlinkat(staging->directory, FILES[i], 0);
    if (fsync(staging->directory) != 0)
        return staging_error(err, "write the directory", staging->part);
    if (rename(staging->part, staging->target) != 0) {
        const bool mounted = errno == EBUSY || errno == EXDEV;
        Status status = staging_error(err, "rename to", staging->target);
        if (mounted)
            status = error_set(err, ERR_IO,
                               "cannot rename '%s' to '%s', which a file system is mounted on: "
                               "name a new directory below it",
                               staging->part, staging->target);
        return status;
    }
    snprintf(parent, sizeof parent, "%s/..", staging->target);
    directory_sync(parent);
    close(staging->directory);
    staging->directory = -1;
    return OK;
}

void staging_drop(Staging *staging)
{
    if (staging->directory < 0)
        return;
    remove_files(staging);
    rmdir(staging->part);
    close(staging->directory);
    staging->directory = -1;
}

Status file_publish(const char *part, const char *path, Error *err)
{
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", path);
    if (rename(part, path) != 0) {
        const Status status = staging_error(err, "rename to", path);
        unlink(part);
        return status;
    }
    char *slash = strrchr(parent, '/');
    if (slash)
        *(slash == parent ? slash + 1 : slash) = '\0';
    directory_sync(slash ? parent : ".");
    return OK;
}

Status file_replace(const char *path, const char *text, Error *err)
{
    char part[PATH_MAX + 8];
    if (strlen(path) >= PATH_MAX)
        return error_set(err, ERR_INVALID, "the name of a file is too long");
    snprintf(part, sizeof part, "%s.part", path);
    const Status status = write_file(part, text, 0644, err);
    return status == OK ? file_publish(part, path, err) : status;
}
