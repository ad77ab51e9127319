/* The bar overwrites itself: a carriage return, and the rest of the line erased. */
#include "server/command/progress_bar.h"

#include <inttypes.h>

enum { WIDTH = 30, TEXT_MAX = 160 };

static void duration_text(double seconds, char *ret, size_t size)
{
    const double minutes = seconds / 60, hours = minutes / 60;

    if (seconds < 60)
        snprintf(ret, size, "%.0f s", seconds);
    else if (minutes < 60)
        snprintf(ret, size, "%.0f min %02d s", (double)(int)minutes, (int)seconds % 60);
    else if (hours < 1e4)
        snprintf(ret, size, "%d h %02d min", (int)hours, (int)minutes % 60);
    else
        snprintf(ret, size, "%.0f h", hours);
}

void progress_bar_text(uint64_t done, uint64_t total, double seconds, char *ret_text, size_t size)
{
    const double rate = seconds > 0 ? (double)done / seconds : 0;
    const int filled = total ? (int)((double)done / (double)total * WIDTH) : WIDTH;
    char bar[WIDTH + 1], left[TEXT_MAX] = "";

    for (int i = 0; i < WIDTH; i++)
        bar[i] = i < filled ? '=' : i == filled ? '>' : ' ';
    bar[WIDTH] = '\0';
    if (rate > 0)
        duration_text((double)(total - done) / rate, left, sizeof left);
    snprintf(ret_text, size, "[%s] %" PRIu64 " of %" PRIu64 ", %.4g a second%s%s%s", bar, done,
             total, rate, *left ? ", " : "", left, *left ? " left" : "");
}

void progress_bar_show(ProgressBar *bar, uint64_t done, uint64_t total, double now)
{
    char text[TEXT_MAX];

    if (!bar->out)
        return;
    progress_bar_text(done, total, now - bar->start, text, sizeof text);
    fprintf(bar->out, "\r%s%s\033[K", bar->label ? bar->label : "", text);
    fflush(bar->out);
    bar->shown = true;
}

void progress_bar_clear(ProgressBar *bar)
{
    if (bar->shown)
        fputs("\r\033[K", bar->out);
    bar->shown = false;
}
