/* What backup and restore have in common: the progress of a copy on a terminal, and its check. */
#ifndef SERVER_COMMAND_COPY_PROGRESS_H
#define SERVER_COMMAND_COPY_PROGRESS_H

#include <stdint.h>

#include "core/base/status.h"
#include "server/command/progress_bar.h"

typedef struct CopyProgress {
    ProgressBar bar;
    double shown_at; /* in seconds */
} CopyProgress;

void copy_progress_begin(CopyProgress *progress);
void copy_progress_show(void *self, uint64_t done, uint64_t total); /* bytes */
void copy_progress_end(CopyProgress *progress);

/* Reads all of a copy (store_verify); ERR_DAMAGED with the first damage. */
Status copy_verify(const char *directory, Error *err) MUST_CHECK;

#endif
