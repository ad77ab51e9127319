/* Statistics over time as JSON: the members "t" (or "part", a fraction of each member's time) and
 * "columns", in an open object. */
#ifndef API_DOCUMENTS_ENVELOPE_H
#define API_DOCUMENTS_ENVELOPE_H

#include "api/json/writer.h"
#include "core/ensemble/over_time.h"

/* Numbers for a column at an instant, before its quantiles. */
enum { ENVELOPE_TOLD = 5 };

typedef struct Envelope {
    const char *const *names; /* n_columns */
    const char *const *units; /* n_columns, NULL for columns without a unit; NULL: none has one */
    size_t n_columns;
    const double *levels; /* n_levels, of quantiles */
    size_t n_levels;
    const double *t; /* n */
    bool parts;
    size_t n;
    const double *told;        /* [n][n_columns][envelope_width()] */
    const double *rank_errors; /* n_columns, of quantiles; NULL: they are exact */
} Envelope;

/* The source of the members' nodes over time: those of a part, in any order, in the arena. */
typedef struct NodeSource {
    void *self;
    Status (*part)(void *self, size_t part, Arena *arena, OverTimePart **ret_parts, size_t *ret_n,
                   Error *err);
} NodeSource;
/* Computes `told` and `rank_errors` of an envelope, in the arena, from nodes of that shape. The
 * envelope's columns are columns[n_columns] of the shape. */
Status envelope_gather(Envelope *envelope, OverTimeShape shape, const size_t *columns,
                       const NodeSource *source, Arena *arena, Error *err) MUST_CHECK;

/* Finds the units of the envelope's columns by name among n columns, in the arena. */
Status envelope_find_units(Envelope *envelope, const char *const *names, const char *const *units,
                           size_t n, Arena *arena, Error *err) MUST_CHECK;

size_t envelope_width(size_t n_levels);
/* Writes the first ENVELOPE_TOLD numbers of an instant. */
void envelope_put(const Moments *moments, double *ret_told);
void envelope_write(JsonWriter *writer, const Envelope *envelope);

#endif
