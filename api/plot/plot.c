/* Layout of a drawing: the labels first, then the plot area in the remaining space, then the
 * curves. */
#include "api/plot/plot.h"

#include <math.h>
#include <string.h>

#include "api/plot/ticks.h"

/* Pixels. CHARACTER is the approximate width of a character of a sans-serif face of this size. */
enum { FONT = 12, CHARACTER = 7, LINE = 18, GAP = 6, SWATCH = 22, EDGE = 12 };

typedef struct Theme {
    const char *ground, *ink, *grid;
    const char *curves[PLOT_CURVES_MAX];
} Theme;

static const Theme LIGHT = {
    "#ffffff",
    "#222222",
    "#dddddd",
    {"#0072b2", "#c14e00", "#00785a", "#a84f82", "#1b1f24", "#bf0040", "#6b4fa0", "#666666"}};
static const Theme DARK = {
    "#14171c",
    "#dddddd",
    "#33383d",
    {"#56b4e9", "#e69f00", "#2fc49a", "#e3a3c8", "#e6e9ee", "#f0e442", "#b0a0ff", "#9aa4b2"}};

typedef struct Sheet {
    const Plot *plot;
    const Theme *theme;
    Text *out;
    Axis x, y;
    Ticks x_ticks, y_ticks;
    double left, top, width, height; /* of the plot area */
} Sheet;

static void put_escaped(Text *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '&')
            text_puts(out, "&amp;");
        else if (*c == '<')
            text_puts(out, "&lt;");
        else if (*c == '>')
            text_puts(out, "&gt;");
        else if ((unsigned char)*c < ' ')
            text_puts(out, "\ufffd"); /* XML allows no other control characters */
        else
            text_putc(out, *c);
    }
}

static double text_width(const char *text)
{
    return (double)text_characters(text, strlen(text)) * CHARACTER;
}

/* anchor: start, middle or end. */
static void put_text(const Sheet *s, double x, double y, const char *anchor, const char *text)
{
    text_printf(s->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    put_escaped(s->out, text);
    text_puts(s->out, "</text>\n");
}

static Axis range_of(const PlotColumn *columns, size_t n_columns, size_t n)
{
    double least = INFINITY, greatest = -INFINITY;

    for (size_t c = 0; c < n_columns; c++)
        for (size_t k = 0; k < n; k++)
            if (isfinite(columns[c].values[k])) {
                least = fmin(least, columns[c].values[k]);
                greatest = fmax(greatest, columns[c].values[k]);
            }
    return axis_around(least, greatest);
}

/* Extends the axis at both ends by a fraction of its length. */
static Axis widen(Axis axis, double by)
{
    const double more = (axis.high / 2 - axis.low / 2) * 2 * by;

    if (!isfinite(axis.low - more) || !isfinite(axis.high + more))
        return axis;
    return (Axis){axis.low - more, axis.high + more};
}

/* The rows of the legend; with `draw`, also draws it. A single curve has its name at the axis
 * instead. */
static unsigned legend(const Sheet *s, bool draw)
{
    const Plot *plot = s->plot;
    const double right = plot->width - EDGE;
    double x = EDGE;
    unsigned row = 0;

    if (plot->n_y == 1)
        return 0;
    for (size_t c = 0; c < plot->n_y; c++) {
        const double width = SWATCH + GAP + text_width(plot->y[c].name) + 2 * GAP;
        /* a new row */
        if (x > EDGE && x + width > right) {
            x = EDGE;
            row++;
        }
        const double y = EDGE + row * LINE;
        if (draw) {
            text_printf(s->out, "<path d=\"M%.1f %.1fh%d\" stroke=\"%s\" stroke-width=\"3\"/>\n", x,
                        y + 0.4 * FONT, SWATCH, s->theme->curves[c]);
            put_text(s, x + SWATCH + GAP, y + 0.8 * FONT, "start", plot->y[c].name);
        }
        x += width;
    }
    return row + 1;
}

static double widest_label(const Ticks *ticks)
{
    double widest = 0;

    for (int64_t k = ticks->first; k <= ticks->last; k++) {
        Text label = TEXT_INIT;
        tick_label(ticks, k, &label);
        widest = fmax(widest, text_width(text_string(&label)));
        text_done(&label);
    }
    return widest;
}

static unsigned ticks_that_fit(double length, double each)
{
    return length < 2 * each ? 2 : (unsigned)(length / each);
}

/* The vertical axis with its labels, and the remaining width. */
static void lay_out_upwards(Sheet *s)
{
    s->y_ticks = ticks_on(s->y, ticks_that_fit(s->height, 2.5 * LINE));
    s->left = EDGE + LINE + widest_label(&s->y_ticks) + GAP;
    s->width = s->plot->width - s->left - 2 * EDGE;
}

/* Makes a unit as many pixels on both axes: the axis with fewer units per pixel is extended. */
static void equalise(Sheet *s, Axis axis_x, Axis axis_y)
{
    const double x = (axis_x.high - axis_x.low) / s->width,
                 y = (axis_y.high - axis_y.low) / s->height;

    s->x = axis_x;
    s->y = axis_y;
    if (!isfinite(x) || !isfinite(y))
        return;
    if (x < y)
        s->x = widen(axis_x, (y / x - 1) / 2);
    else
        s->y = widen(axis_y, (x / y - 1) / 2);
}

static void lay_out(Sheet *s)
{
    const Plot *plot = s->plot;
    const double margin = 0.04;

    /* heights do not depend on widths: first the rows above and below, then the vertical axis and
     * its labels */
    s->top = EDGE + legend(s, false) * LINE + LINE;
    s->height = plot->height - s->top - 2 * LINE - EDGE;
    s->x = range_of(&plot->x, 1, plot->n);
    if (plot->dots || plot->equal || !plot->over_time)
        s->x = widen(s->x, margin);
    s->y = widen(range_of(plot->y, plot->n_y, plot->n), margin);
    lay_out_upwards(s);
    if (plot->equal) {
        /* the labels of a longer axis may be wider, and leave less width */
        const Axis x = s->x, y = s->y;
        equalise(s, x, y);
        lay_out_upwards(s);
        equalise(s, x, y);
        s->y_ticks = ticks_on(s->y, ticks_that_fit(s->height, 2.5 * LINE));
    }
    /* labels side by side must not meet: wide labels allow fewer ticks */
    unsigned most = ticks_that_fit(s->width, 4.0 * LINE);
    do
        s->x_ticks = ticks_on(s->x, most);
    while (widest_label(&s->x_ticks) + 2 * GAP > s->width / most && most-- > 2);
}

static double at_x(const Sheet *s, double value)
{
    return s->left + (value / 2 - s->x.low / 2) / (s->x.high / 2 - s->x.low / 2) * s->width;
}

static double at_y(const Sheet *s, double value)
{
    return s->top + (s->y.high / 2 - value / 2) / (s->y.high / 2 - s->y.low / 2) * s->height;
}

static void put_grid(const Sheet *s)
{
    text_printf(s->out, "<path stroke=\"%s\" d=\"", s->theme->grid);
    for (int64_t k = s->x_ticks.first; k <= s->x_ticks.last; k++)
        text_printf(s->out, "M%.1f %.1fv%.1f", at_x(s, tick_at(&s->x_ticks, k)), s->top, s->height);
    for (int64_t k = s->y_ticks.first; k <= s->y_ticks.last; k++)
        text_printf(s->out, "M%.1f %.1fh%.1f", s->left, at_y(s, tick_at(&s->y_ticks, k)), s->width);
    text_puts(s->out, "\"/>\n");
}

static void put_label(const Sheet *s, const Ticks *ticks, int64_t k, double x, double y,
                      const char *anchor)
{
    Text label = TEXT_INIT;

    tick_label(ticks, k, &label);
    put_text(s, x, y, anchor, text_string(&label));
    text_done(&label);
}

static void put_remark(const Sheet *s, const Ticks *ticks, double x, double y, const char *anchor)
{
    Text remark = TEXT_INIT;

    ticks_remark(ticks, &remark);
    if (remark.length)
        put_text(s, x, y, anchor, text_string(&remark));
    text_done(&remark);
}

static void put_labels(const Sheet *s)
{
    const Plot *plot = s->plot;
    const double bottom = s->top + s->height, below = bottom + LINE,
                 middle = s->top + s->height / 2;

    /* the labels of both axes */
    text_printf(s->out, "<g fill=\"%s\">\n", s->theme->ink);
    for (int64_t k = s->x_ticks.first; k <= s->x_ticks.last; k++)
        put_label(s, &s->x_ticks, k, at_x(s, tick_at(&s->x_ticks, k)), below, "middle");
    for (int64_t k = s->y_ticks.first; k <= s->y_ticks.last; k++)
        put_label(s, &s->y_ticks, k, s->left - GAP, at_y(s, tick_at(&s->y_ticks, k)) + 0.35 * FONT,
                  "end");
    /* their remarks and names */
    put_remark(s, &s->y_ticks, s->left, s->top - GAP, "start");
    put_remark(s, &s->x_ticks, s->left + s->width, below + LINE, "end");
    put_text(s, s->left + s->width / 2, below + LINE, "middle", plot->x.name);
    if (plot->n_y == 1) {
        text_printf(s->out, "<g transform=\"translate(%d %.1f) rotate(-90)\">", EDGE + FONT / 2,
                    middle);
        put_text(s, 0, 0, "middle", plot->y[0].name);
        text_puts(s->out, "</g>\n");
    }
    legend(s, true);
    text_puts(s->out, "</g>\n");
}

/* A point nearer than this to the last drawn point is skipped; pixels. */
static const double NEAR = 0.1;

static void put_curve(const Sheet *s, const PlotColumn *y, const char *colour)
{
    const Plot *plot = s->plot;
    double last_x = 0, last_y = 0;
    bool drawn = false; /* a last point exists; not so after a gap */

    text_printf(s->out, "<path stroke=\"%s\" stroke-width=\"%s\" d=\"", colour,
                plot->dots ? "3" : "1.5");
    for (size_t k = 0; k < plot->n; k++) {
        /* gaps, and points too near to the last */
        if (!isfinite(plot->x.values[k]) || !isfinite(y->values[k])) {
            drawn = false;
            continue;
        }
        const double px = at_x(s, plot->x.values[k]), py = at_y(s, y->values[k]);
        if (drawn && fabs(px - last_x) < NEAR && fabs(py - last_y) < NEAR)
            continue;
        text_printf(s->out, drawn && !plot->dots ? "L%.1f %.1f" : "M%.1f %.1fh0", px, py);
        last_x = px;
        last_y = py;
        drawn = true;
    }
    text_puts(s->out, "\"/>\n");
}

void plot_write(const Plot *plot, Text *out)
{
    Sheet s = {.plot = plot, .theme = plot->dark ? &DARK : &LIGHT, .out = out};

    /* title and background */
    lay_out(&s);
    text_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                "style=\"max-width:100%%;height:auto\" viewBox=\"0 "
                "0 %u %u\" role=\"img\" font-family=\"Helvetica, Arial, sans-serif\" "
                "font-size=\"%d\">\n<title>",
                plot->width, plot->height, plot->width, plot->height, FONT);
    put_escaped(out, plot->title);
    text_printf(out, "</title>\n<rect width=\"%u\" height=\"%u\" fill=\"%s\"/>\n", plot->width,
                plot->height, s.theme->ground);
    put_grid(&s);
    /* the curves, clipped to the plot area */
    text_printf(out,
                "<clipPath id=\"area\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>"
                "</clipPath>\n<g clip-path=\"url(#area)\" fill=\"none\" stroke-linecap=\"round\" "
                "stroke-linejoin=\"round\">\n",
                s.left, s.top, s.width, s.height);
    for (size_t c = 0; c < plot->n_y; c++)
        put_curve(&s, &plot->y[c], s.theme->curves[c]);
    text_printf(out,
                "</g>\n<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
                "stroke=\"%s\"/>\n",
                s.left, s.top, s.width, s.height, s.theme->ink);
    put_labels(&s);
    text_puts(out, "</svg>\n");
}
