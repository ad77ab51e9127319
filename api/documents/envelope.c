/* One series over the instants for each statistic of a column. */
#include "api/documents/envelope.h"

#include <math.h>
#include <string.h>

#include "core/base/number.h"

enum { COUNT, MEAN, VARIANCE, MIN, MAX };
static const char *const TOLD[ENVELOPE_TOLD] = {"count", "mean", "variance", "min", "max"};

size_t envelope_width(size_t n_levels)
{
    return ENVELOPE_TOLD + n_levels;
}

void envelope_put(const Moments *m, double *ret_told)
{
    const double moments[ENVELOPE_TOLD] = {
        [COUNT] = (double)m->count, [MEAN] = m->mean, [VARIANCE] = m->variance,
        [MIN] = m->least,           [MAX] = m->most,
    };
    memcpy(ret_told, moments, sizeof moments);
}

/* The nodes of one part are in memory at a time: about twenty, and a few more while the ensemble
 * runs. */
enum { PART_MEMORY = 256 * 1024 * 1024 };

/* The part being gathered. */
typedef struct Gathering {
    const Envelope *envelope;
    Arena *arena; /* of the part */
    double *told, *rank_errors, *quantiles;
} Gathering;

/* Stores the statistics of column c at n instants from `first` on. */
static void put_cells(const Gathering *g, size_t c, size_t first, const OverTimeCell *cells,
                      size_t n)
{
    const Envelope *e = g->envelope;
    const size_t width = envelope_width(e->n_levels);

    for (size_t k = 0; k < n; k++) {
        double *told = g->told + ((first + k) * e->n_columns + c) * width;
        envelope_put(&cells[k].moments, told);
        if (e->n_levels)
            memcpy(told + ENVELOPE_TOLD, g->quantiles + k * e->n_levels,
                   e->n_levels * sizeof *told);
        g->rank_errors[c] = fmax(g->rank_errors[c], cells[k].rank_error);
    }
}

/* Gathers a part of the shape's column that is the envelope's column c. */
static Status gather_part(const Gathering *g, OverTimeShape shape, size_t c, size_t part,
                          const NodeSource *source, Error *err)
{
    OverTimeCell cells[OVER_TIME_PART];
    OverTimePart *parts = NULL;
    size_t n_parts = 0, first;
    const size_t n = over_time_part(shape, part, &first);

    arena_reset(g->arena);
    Status status = source->part(source->self, part, g->arena, &parts, &n_parts, err);
    if (status == OK)
        status = over_time_report(parts, n_parts,
                                  &(OverTimeRequest){n, g->envelope->levels, g->envelope->n_levels},
                                  cells, g->quantiles, err);
    if (status == OK)
        put_cells(g, c, first % shape.n_instants, cells, n);
    return status;
}

Status envelope_gather(Envelope *e, OverTimeShape shape, const size_t *columns,
                       const NodeSource *source, Arena *arena, Error *err)
{
    const size_t parts = over_time_parts(shape) / shape.n_columns;
    const Gathering g = {
        .envelope = e,
        .arena = arena_new(PART_MEMORY),
        .told = arena_doubles(arena, e->n * e->n_columns * envelope_width(e->n_levels)),
        .rank_errors = arena_doubles(arena, e->n_columns),
        .quantiles = arena_doubles(arena, OVER_TIME_PART * e->n_levels)};
    Status status =
        g.arena ? arena_status(arena, err) : error_set(err, ERR_NO_MEMORY, "out of memory");

    /* column by column, each part by part */
    for (size_t c = 0; c < e->n_columns && status == OK; c++) {
        g.rank_errors[c] = 0;
        for (size_t p = 0; p < parts && status == OK; p++)
            status = gather_part(&g, shape, c, columns[c] * parts + p, source, err);
    }
    arena_free(g.arena);
    e->told = g.told;
    e->rank_errors = g.rank_errors;
    return status;
}

Status envelope_find_units(Envelope *e, const char *const *names, const char *const *units,
                           size_t n, Arena *arena, Error *err)
{
    const char **found = units ? ARENA_NEW(arena, e->n_columns, const char *) : NULL;

    if (units && !found)
        return arena_status(arena, err);
    for (size_t c = 0; units && c < e->n_columns; c++)
        for (size_t k = 0; k < n; k++)
            if (strcmp(names[k], e->names[c]) == 0)
                found[c] = units[k];
    e->units = found;
    return OK;
}

static void write_series(JsonWriter *w, const Envelope *e, size_t c, size_t what, const char *name)
{
    json_member_array(w, name);
    for (size_t k = 0; k < e->n; k++)
        json_put_number(w, e->told[(k * e->n_columns + c) * envelope_width(e->n_levels) + what]);
    json_close_array(w);
}

static void write_column(JsonWriter *w, const Envelope *e, size_t c)
{
    char level[NUMBER_TEXT_MAX];

    json_member_object(w, e->names[c]);
    if (e->units && e->units[c])
        json_member_string(w, "unit", e->units[c]);
    /* series of moments, then of quantiles */
    for (size_t k = 0; k < ENVELOPE_TOLD; k++)
        write_series(w, e, c, k, TOLD[k]);
    if (e->n_levels > 0) {
        json_member_object(w, "quantiles");
        for (size_t k = 0; k < e->n_levels; k++) {
            number_print(e->levels[k], level);
            write_series(w, e, c, ENVELOPE_TOLD + k, level);
        }
        json_close_object(w);
        json_member_number(w, "rank_error", e->rank_errors ? e->rank_errors[c] : 0);
    }
    json_close_object(w);
}

void envelope_write(JsonWriter *w, const Envelope *e)
{
    json_member_array(w, e->parts ? "part" : "t");
    for (size_t k = 0; k < e->n; k++)
        json_put_number(w, e->t[k]);
    json_close_array(w);
    json_member_object(w, "columns");
    for (size_t c = 0; c < e->n_columns; c++)
        write_column(w, e, c);
    json_close_object(w);
}
