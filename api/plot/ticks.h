/* Ticks that are easy to read: whole multiples of 1, 2 or 5 times a power of ten (P. S. Heckbert,
 * Nice numbers for graph labels, Graphics Gems, 1990), and their labels, exact decimals. */
#ifndef API_PLOT_TICKS_H
#define API_PLOT_TICKS_H

#include <stdint.h>

#include "core/base/text.h"

typedef struct Axis {
    double low, high; /* low < high, both finite */
} Axis;

/* The axis on which these values fill the plot. A single value, or values that differ only by
 * rounding, get a wider axis. No finite value: 0 to 1. */
Axis axis_around(double least, double greatest);

/* Tick k is at k * step, step = mantissa * 10^exponent, first <= k <= last. */
typedef struct Ticks {
    int64_t first, last;
    int mantissa, exponent;
    int64_t offset; /* labels show k - offset, if k itself would have many digits */
    int scale;      /* labels show multiples of 10^scale */
} Ticks;

/* About `most` ticks (> 1) within the axis, never more. */
Ticks ticks_on(Axis axis, unsigned most);
double tick_at(const Ticks *ticks, int64_t k);
/* The label of tick k, as short as all ticks allow: "0.05". */
void tick_label(const Ticks *ticks, int64_t k, Text *out);
/* The parts that all labels leave out: " + 12000", " x 10^-9" with superscripts; or nothing. */
void ticks_remark(const Ticks *ticks, Text *out);

#endif
