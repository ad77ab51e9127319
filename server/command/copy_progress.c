/* The progress of a copy in MiB, a few times a second, and the check of a copy. */
#include "server/command/copy_progress.h"

#include <unistd.h>

#include "core/base/clock.h"
#include "db/store.h"

enum { MIB = 1 << 20 };
static const double SHOW_SECONDS = 0.2; /* between two looks of the bar */

void copy_progress_begin(CopyProgress *progress)
{
    *progress = (CopyProgress){.bar = {.out = isatty(STDERR_FILENO) ? stderr : NULL,
                                       .start = clock_seconds(),
                                       .label = "MiB copied "}};
}

void copy_progress_show(void *self, uint64_t done, uint64_t total)
{
    CopyProgress *progress = self;
    const double now = progress->bar.out ? clock_seconds() : 0;
    if (!progress->bar.out || now - progress->shown_at < SHOW_SECONDS)
        return;
    progress->shown_at = now;
    progress_bar_show(&progress->bar, done / MIB, total / MIB, now);
}

void copy_progress_end(CopyProgress *progress)
{
    progress_bar_clear(&progress->bar);
    if (progress->bar.out)
        fputs("verifying the copy\n", progress->bar.out);
}

/* Keeps the first damage. */
static void keep_first(void *self, const char *what)
{
    Error *first = self;
    if (first->code == OK)
        (void)!error_set(first, ERR_DAMAGED, "%s", what);
}

Status copy_verify(const char *directory, Error *err)
{
    Error first = {0};
    StoreReport report;
    const ReportSink sink = {&first, keep_first};
    Status status = store_verify(directory, &sink, &report, err);
    if (status != OK || first.code == OK)
        return status;
    return error_set(err, ERR_DAMAGED,
                     "the data are damaged: %.300s; `dalembert verify` names all that is",
                     first.message);
}
