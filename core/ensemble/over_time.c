/* A node from values, from its halves, and the statistics of a range from its nodes. */
#include "core/ensemble/over_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

/* Values of members held at a time, in bytes, and at least this many members. Conventions. */
enum { HELD_BYTES = 1 << 24, MIN_HELD_MEMBERS = 16 };

size_t over_time_cells(OverTimeShape shape)
{
    return shape.n_columns * shape.n_instants;
}

static size_t parts_of_column(OverTimeShape shape)
{
    return (shape.n_instants + OVER_TIME_PART - 1) / OVER_TIME_PART;
}

size_t over_time_parts(OverTimeShape shape)
{
    return shape.n_columns * parts_of_column(shape);
}

size_t over_time_part(OverTimeShape shape, size_t part, size_t *ret_first)
{
    const size_t parts = parts_of_column(shape), at = part % parts * OVER_TIME_PART;
    const size_t left = shape.n_instants - at;

    *ret_first = part / parts * shape.n_instants + at;
    return left < OVER_TIME_PART ? left : OVER_TIME_PART;
}

uint64_t over_time_held(OverTimeShape shape)
{
    const size_t cells = over_time_cells(shape);
    const uint64_t most = HELD_BYTES / sizeof(double) / (cells ? cells : 1);
    return most > MIN_HELD_MEMBERS ? most : MIN_HELD_MEMBERS;
}

double over_time_bytes(OverTimeShape shape, uint64_t members)
{
    /* counts, extremes, errors, heads, and two sums whose addends differ by about 2^100 */
    enum { OTHER_WORDS = 6 + 2 * 8 };
    double words = 0;

    for (unsigned level = 0; level < 64; level++)
        if (members >> level & 1)
            words += OTHER_WORDS + (level < DIGEST_LEVEL
                                        ? (double)(1 << level)
                                        : (double)DIGEST_VALUES + (double)(level - DIGEST_LEVEL));
    return words * sizeof(uint64_t) * (double)over_time_cells(shape);
}

/* The level of the next node that fills `n` members from `first` on: the largest possible. */
static unsigned level_at(uint64_t first, uint64_t n)
{
    unsigned level = 0;

    while (level + 1 < OVER_TIME_LEVELS && (first >> level & 1) == 0 && n >> (level + 1))
        level++;
    return level;
}

static bool is_upper(uint64_t number)
{
    return number & 1;
}

/* Digests that wait for their other half, at most one of each level. */
typedef struct Rising {
    Digest levels[OVER_TIME_LEVELS];
    Digest spare;
} Rising;

static void swap_digests(Digest *a, Digest *b)
{
    const Digest other = *a;
    *a = *b;
    *b = other;
}

/* Values of one cell, `stride` apart, of a node's members. */
static Status node_cell(Rising *r, const double *x, size_t stride, unsigned level, uint64_t number,
                        Error *err)
{
    const unsigned least = level < DIGEST_LEVEL ? level : DIGEST_LEVEL;
    const uint64_t n = UINT64_C(1) << least, first = number << (level - least);
    double values[DIGEST_VALUES];
    Status status = OK;

    /* the members by blocks that fill one digest */
    for (uint64_t b = 0; status == OK && b < UINT64_C(1) << (level - least); b++) {
        uint64_t at = first + b;
        unsigned l = least;
        for (uint64_t k = 0; k < n; k++)
            values[k] = x[(b * n + k) * stride];
        /* a block that is an upper half completes the node above it */
        status = digest_of(values, (size_t)n, &r->spare, err);
        for (; status == OK && l < level && is_upper(at); l++, at >>= 1) {
            Digest merged = {0};
            status = digest_merge(&r->levels[l], &r->spare, is_upper(at >> 1), &merged, err);
            swap_digests(&r->spare, &merged);
            digest_done(&merged);
        }
        swap_digests(&r->levels[l], &r->spare);
    }
    return status;
}

static Status words_status(const Text *words, Error *err)
{
    return text_ok(words) ? OK
                          : error_set(err, ERR_NO_MEMORY, "out of memory for statistics over time");
}

/* The node's part of values [member][cell] of its members in order; NaN: not reached. Appends to
 * node->words. */
static Status fill_node(OverTimeShape shape, const double *values, OverTimeNode *node, Error *err)
{
    const size_t cells = over_time_cells(shape);
    size_t first;
    const size_t n = over_time_part(shape, node->part, &first);
    Rising rising = {0};
    Status status = OK;

    for (size_t c = first; status == OK && c < first + n; c++) {
        status = node_cell(&rising, values + c, cells, node->level, node->number, err);
        if (status == OK)
            digest_write(&rising.levels[node->level], &node->words);
    }
    for (size_t l = 0; l < OVER_TIME_LEVELS; l++)
        digest_done(&rising.levels[l]);
    digest_done(&rising.spare);
    return status == OK ? words_status(&node->words, err) : status;
}

Status over_time_merge(const uint64_t *left, size_t n_left, const uint64_t *right, size_t n_right,
                       uint64_t number, Text *words, Error *err)
{
    Digest a = {0}, b = {0}, both = {0};
    size_t at_left = 0, at_right = 0;
    Status status = OK;

    /* both halves hold the same cells in the same order */
    while (status == OK && (at_left < n_left || at_right < n_right)) {
        status = digest_read(left, n_left, &at_left, &a, err);
        if (status == OK)
            status = digest_read(right, n_right, &at_right, &b, err);
        if (status == OK)
            status = digest_merge(&a, &b, is_upper(number), &both, err);
        if (status == OK)
            digest_write(&both, words);
    }
    digest_done(&a);
    digest_done(&b);
    digest_done(&both);
    return status == OK ? words_status(words, err) : status;
}

/* The forest. */

static void drop_node(OverTimeForest *forest, OverTimeNode *node)
{
    text_done(&node->words);
    *node = forest->nodes[--forest->n];
}

void over_time_forest_done(OverTimeForest *forest)
{
    while (forest->n)
        drop_node(forest, forest->nodes);
    free(forest->nodes);
    *forest = (OverTimeForest){0};
}

static OverTimeNode *find_sibling(const OverTimeForest *forest, const OverTimeNode *node)
{
    for (size_t k = 0; k < forest->n; k++) {
        OverTimeNode *other = &forest->nodes[k];
        if (other->part == node->part && other->level == node->level &&
            other->number == (node->number ^ 1))
            return other;
    }
    return NULL;
}

const uint64_t *over_time_words(const Text *words)
{
    return (const uint64_t *)(const void *)words->data;
}

/* Takes the node over, and merges it with its other half as long as that is there. */
static Status plant(OverTimeForest *forest, OverTimeNode *node, Error *err)
{
    Status status = OK;

    /* like carries in a binary counter: each merge may complete a pair one level up */
    for (OverTimeNode *s; status == OK && (s = find_sibling(forest, node));) {
        const Text *left = is_upper(node->number) ? &s->words : &node->words;
        const Text *right = is_upper(node->number) ? &node->words : &s->words;
        OverTimeNode above = {.level = node->level + 1, .number = node->number / 2};
        above.part = node->part;
        status = over_time_merge(over_time_words(left), left->length / sizeof(uint64_t),
                                 over_time_words(right), right->length / sizeof(uint64_t),
                                 above.number, &above.words, err);
        text_done(&node->words);
        *node = above;
        drop_node(forest, s);
    }
    if (status == OK &&
        !grow_array(&forest->nodes, &forest->capacity, forest->n + 1, sizeof *forest->nodes))
        status = error_set(err, ERR_NO_MEMORY, "out of memory for statistics over time");
    if (status == OK)
        forest->nodes[forest->n++] = *node;
    else
        text_done(&node->words);
    return status;
}

Status over_time_forest_add(OverTimeForest *forest, OverTimeShape shape, uint64_t first, uint64_t n,
                            const double *values, Error *err)
{
    const size_t cells = over_time_cells(shape), parts = over_time_parts(shape);
    Status status = OK;

    /* the largest nodes that fill the range, each part by part */
    while (n > 0 && status == OK) {
        const unsigned level = level_at(first, n);
        const uint64_t taken = UINT64_C(1) << level;
        for (size_t p = 0; p < parts && status == OK; p++) {
            OverTimeNode node = {.level = level, .number = first >> level, .part = p};
            status = fill_node(shape, values, &node, err);
            if (status == OK)
                status = plant(forest, &node, err);
            else
                text_done(&node.words);
        }
        first += taken;
        n -= taken;
        values += taken * cells;
    }
    return status;
}

Status over_time_forest_join(OverTimeForest *forest, OverTimeForest *other, Error *err)
{
    Status status = OK;

    while (other->n > 0 && status == OK) {
        OverTimeNode node = other->nodes[--other->n];
        status = plant(forest, &node, err);
    }
    over_time_forest_done(other);
    return status;
}

/* Joins the next cell of all parts; `places` advance. */
static Status join_cell(const OverTimePart *parts, size_t n_parts, size_t *places, Digest d[3],
                        Error *err)
{
    Status status = digest_of(NULL, 0, &d[0], err);

    for (size_t k = 0; k < n_parts && status == OK; k++) {
        status = digest_read(parts[k].words, parts[k].n_words, &places[k], &d[1], err);
        if (status == OK)
            status = digest_join(&d[0], &d[1], &d[2], err);
        swap_digests(&d[0], &d[2]);
    }
    return status;
}

Status over_time_report(const OverTimePart *parts, size_t n_parts, const OverTimeRequest *request,
                        OverTimeCell *ret_cells, double *ret_quantiles, Error *err)
{
    const size_t n_levels = request->n_levels;
    Digest d[3] = {{0}};
    size_t *places = alloc_array(n_parts, sizeof *places);
    Status status =
        places ? OK : error_set(err, ERR_NO_MEMORY, "out of memory for statistics over time");

    /* the parts are in step: each holds the digests of the same cells in the same order */
    for (size_t c = 0; c < request->n_cells && status == OK; c++) {
        status = join_cell(parts, n_parts, places, d, err);
        if (status == OK)
            status = digest_quantiles(&d[0], request->levels, n_levels,
                                      ret_quantiles + c * n_levels, err);
        if (status == OK)
            ret_cells[c] = (OverTimeCell){digest_moments(&d[0]), digest_rank_error(&d[0])};
    }
    for (size_t k = 0; k < 3; k++)
        digest_done(&d[k]);
    free(places);
    return status;
}
