/* A line on a terminal that shows the progress of many things of one kind. */
#ifndef SERVER_PROGRESS_BAR_H
#define SERVER_PROGRESS_BAR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct ProgressBar {
    FILE *out;         /* NULL: nothing is shown */
    double start;      /* in seconds */
    const char *label; /* in front of the bar, or NULL */
    bool shown;
} ProgressBar;

/* "[=====>    ]  1234 of 100000, 311 a second, 5 min 17 s left"; size bytes. */
void progress_bar_text(uint64_t done, uint64_t total, double seconds, char *ret_text, size_t size);

void progress_bar_show(ProgressBar *bar, uint64_t done, uint64_t total, double now);
void progress_bar_clear(ProgressBar *bar);

#endif
