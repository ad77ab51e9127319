/* Statistics over time as JSON: members "t" (or "part", of each member's time) and "columns", in an
 * object that is open. */
#ifndef API_DOCUMENTS_ENVELOPE_H
#define API_DOCUMENTS_ENVELOPE_H

#include "api/json/writer.h"
#include "core/ensemble/over_time.h"

/* Numbers told of a column at an instant before its quantiles. */
enum { ENVELOPE_TOLD = 5 };

typedef struct Envelope {
    const char *const *names; /* n_columns */
    const char *const *units; /* n_columns, NULL where there is none; NULL: none has one */
    size_t n_columns;
    const double *levels; /* n_levels, of quantiles */
    size_t n_levels;
    const double *t; /* n */
    bool parts;
    size_t n;
    const double *told;        /* [n][n_columns][envelope_width()] */
    const double *rank_errors; /* n_columns, of quantiles; NULL: they are exact */
} Envelope;

/* Where the nodes of members over time are: those of a part, in any order, in the arena. */
typedef struct NodeSource {
    void *self;
    Status (*part)(void *self, size_t part, Arena *arena, OverTimePart **ret_parts, size_t *ret_n,
                   Error *err);
} NodeSource;
/* Works out `told` and `rank_errors` of an envelope, in the arena, from nodes of that shape:
 * columns[n_columns] of its columns. */
Status envelope_gather(Envelope *envelope, OverTimeShape shape, const size_t *columns,
                       const NodeSource *source, Arena *arena, Error *err) MUST_CHECK;

/* Finds the units of its columns, by name, among those of n columns, in the arena. */
Status envelope_find_units(Envelope *envelope, const char *const *names, const char *const *units,
                           size_t n, Arena *arena, Error *err) MUST_CHECK;

size_t envelope_width(size_t n_levels);
/* The first ENVELOPE_TOLD of them. */
void envelope_put(const Moments *moments, double *ret_told);
void envelope_write(JsonWriter *writer, const Envelope *envelope);

#endif
