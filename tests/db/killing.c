/* Steps of a process are calls that change files; they go to the kernel unless it is the last. */
#define _GNU_SOURCE /* syscall, fwrite_unlocked */
#include "tests/db/killing.h"

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int *steps; /* NULL: they are not counted; shared with the parent */
static int last_step;
static bool middle;

static bool is_last(void)
{
    return steps && atomic_fetch_add(steps, 1) + 1 == last_step;
}

static void step(void)
{
    if (is_last())
        kill(getpid(), SIGKILL);
}

int fsync(int file)
{
    step();
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file)
{
    step();
    return (int)syscall(SYS_fdatasync, file);
}

int rename(const char *from, const char *to)
{
    step();
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int mkdir(const char *path, mode_t mode)
{
    step();
    return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int rmdir(const char *path)
{
    step();
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}

int unlink(const char *path)
{
    step();
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int unlinkat(int directory, const char *path, int flags)
{
    step();
    return (int)syscall(SYS_unlinkat, directory, path, flags);
}

int ftruncate64(int file, off64_t size)
{
    step();
    return (int)syscall(SYS_ftruncate, file, size);
}

size_t fwrite(const void *bytes, size_t size, size_t n, FILE *file)
{
    step();
    return fwrite_unlocked(bytes, size, n, file);
}

ssize_t write(int file, const void *bytes, size_t n)
{
    if (is_last()) {
        if (middle)
            syscall(SYS_write, file, bytes, n / 2);
        kill(getpid(), SIGKILL);
    }
    return syscall(SYS_write, file, bytes, n);
}

ssize_t pwrite64(int file, const void *bytes, size_t n, off64_t at)
{
    if (is_last()) {
        if (middle)
            syscall(SYS_pwrite64, file, bytes, n / 2, at);
        kill(getpid(), SIGKILL);
    }
    return syscall(SYS_pwrite64, file, bytes, n, at);
}

bool killed_at(const Killing *killing, int n, int *ret_code, int *ret_steps)
{
    int status;
    atomic_int *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(shared != MAP_FAILED);
    atomic_store(shared, 0);
    fflush(NULL);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        steps = shared;
        last_step = n;
        middle = killing->in_the_middle;
        _exit(killing->body(killing->argument));
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    ck_assert_msg(killed || WIFEXITED(status), "status %x", (unsigned)status);
    if (ret_code)
        *ret_code = killed ? -1 : WEXITSTATUS(status);
    *ret_steps = atomic_load(shared);
    munmap(shared, sizeof *shared);
    return killed;
}
