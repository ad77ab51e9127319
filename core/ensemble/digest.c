/* Digests are merged height by height and thinned from the lowest up. */
#include "core/ensemble/digest.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/numeric/vectors.h"

void digest_done(Digest *digest)
{
    free(digest->values);
    *digest = (Digest){0};
}

static Status no_memory(Error *err)
{
    return error_set(err, ERR_NO_MEMORY, "out of memory for statistics over time");
}

static bool digest_grow(Digest *digest, size_t n)
{
    return grow_array(&digest->values, &digest->capacity, n ? n : 1, sizeof *digest->values);
}

static void digest_clear(Digest *digest)
{
    double *values = digest->values;
    const size_t capacity = digest->capacity;

    *digest = (Digest){.values = values, .capacity = capacity};
}

Status digest_of(const double *x, size_t n, Digest *ret_digest, Error *err)
{
    Digest *d = ret_digest;

    digest_clear(d);
    if (!digest_grow(d, n))
        return no_memory(err);
    for (size_t k = 0; k < n; k++) {
        if (isnan(x[k]))
            continue;
        d->values[d->n_values++] = x[k] + 0.0; /* one zero: -0 and 0 have no order */
        exact_sum_add(&d->sum, x[k]);
        exact_sum_add_product(&d->squares, x[k], x[k]);
    }
    d->count = d->n[0] = d->n_values;
    qsort(d->values, d->n_values, sizeof *d->values, compare_doubles);
    if (d->count) {
        d->least = d->values[0];
        d->most = d->values[d->n_values - 1];
    }
    return OK;
}

/* Two lists in order as one. */
static void merge_lists(const double *a, size_t n_a, const double *b, size_t n_b, double *ret)
{
    size_t i = 0, j = 0;

    while (i < n_a || j < n_b)
        *ret++ = j == n_b || (i < n_a && a[i] <= b[j]) ? a[i++] : b[j++];
}

Status digest_join(const Digest *a, const Digest *b, Digest *ret_digest, Error *err)
{
    Digest *d = ret_digest;
    const double *x = a->values, *y = b->values;

    digest_clear(d);
    if (!digest_grow(d, a->n_values + b->n_values))
        return no_memory(err);
    /* counts, extremes, rank errors and exact sums add up */
    d->count = a->count + b->count;
    d->least = a->count && !(b->count && b->least < a->least) ? a->least : b->least;
    d->most = a->count && !(b->count && b->most > a->most) ? a->most : b->most;
    d->above = a->above + b->above;
    d->below = a->below + b->below;
    d->sum = a->sum;
    d->squares = a->squares;
    exact_sum_merge(&d->sum, &b->sum);
    exact_sum_merge(&d->squares, &b->squares);
    /* the values of each height stay in order */
    for (size_t h = 0; h < DIGEST_HEIGHTS; h++) {
        merge_lists(x, a->n[h], y, b->n[h], d->values + d->n_values);
        x += a->n[h];
        y += b->n[h];
        d->n[h] = a->n[h] + b->n[h];
        d->n_values += d->n[h];
    }
    return OK;
}

/* Halves the values of each height, from the lowest on, until the list is short enough. The last
 * one of an odd number keeps its height. */
static Status thin(Digest *d, bool upper, Error *err)
{
    const double *from = d->values;
    double *to = d->values; /* behind `from`: a height gives away half of what it had */
    size_t n = d->n_values, n_carried = 0;
    double *list = alloc_array(2 * n, sizeof *list), *carried = list + n;

    /* keep each second value of a height and carry it one height up */
    if (!list)
        return no_memory(err);
    for (size_t h = 0; h < DIGEST_HEIGHTS; h++) {
        const size_t m = d->n[h] + n_carried;
        merge_lists(from, d->n[h], carried, n_carried, list);
        from += d->n[h];
        const size_t pairs = n > DIGEST_VALUES && h + 1 < DIGEST_HEIGHTS ? m / 2 : 0;
        for (size_t k = 0; k < pairs; k++)
            carried[k] = list[2 * k + upper];
        n_carried = pairs;
        n -= pairs;
        if (pairs)
            *(upper ? &d->below : &d->above) += UINT64_C(1) << h;
        d->n[h] = m - 2 * pairs;
        if (d->n[h])
            memcpy(to, list + 2 * pairs, d->n[h] * sizeof *to);
        to += d->n[h];
    }
    d->n_values = n;
    free(list);
    return OK;
}

Status digest_merge(const Digest *a, const Digest *b, bool upper, Digest *ret_digest, Error *err)
{
    const Status status = digest_join(a, b, ret_digest, err);
    return status == OK && ret_digest->n_values > DIGEST_VALUES ? thin(ret_digest, upper, err)
                                                                : status;
}

/* sum (x - m)^2 = sum x^2 - 2 m sum x + n m^2 without rounding, from exact sums: sum x is split
 * into doubles. The remainder as in spread() of statistics.c. */
static double variance_of(const Digest *d, double mean)
{
    const double n = (double)d->count, square = mean * mean;
    ExactSum squares = d->squares, shifted = d->sum, rest = d->sum;

    if (d->count < 2 || !isfinite(mean) || !isfinite(square))
        return NAN;
    for (double part = exact_sum_value(&rest); part != 0; part = exact_sum_value(&rest)) {
        exact_sum_add(&rest, -part);
        exact_sum_add_product(&squares, -2 * mean, part);
    }
    exact_sum_add_product(&squares, n, square);
    exact_sum_add_product(&squares, n, fma(mean, mean, -square));
    exact_sum_add_product(&shifted, -n, mean);
    const double all = exact_sum_value(&squares), shift = exact_sum_value(&shifted);
    return isfinite(all) ? (all - shift * shift / n) / (n - 1) : NAN;
}

Moments digest_moments(const Digest *d)
{
    Moments m = {.count = d->count, .mean = NAN, .variance = NAN, .least = NAN, .most = NAN};

    if (d->count) {
        m.mean = exact_sum_value(&d->sum) / (double)d->count;
        m.variance = variance_of(d, m.mean);
        m.least = d->least;
        m.most = d->most;
    }
    return m;
}

double digest_rank_error(const Digest *d)
{
    const uint64_t error = d->above > d->below ? d->above : d->below;
    return error ? fmin(1, (double)error / (double)(d->count - 1)) : 0;
}

/* Values in order, each with the number of values up to it. */
typedef struct Ranked {
    double *values;
    uint64_t *upto;
    size_t n;
} Ranked;

/* Two lists with their weights as one. */
static void merge_weighted(const Ranked *a, const double *b, size_t n_b, uint64_t weight,
                           Ranked *ret)
{
    size_t i = 0, j = 0;

    for (ret->n = 0; i < a->n || j < n_b; ret->n++) {
        const bool first = j == n_b || (i < a->n && a->values[i] <= b[j]);
        ret->upto[ret->n] = first ? a->upto[i] : weight;
        ret->values[ret->n] = first ? a->values[i++] : b[j++];
    }
}

/* Fills *ret_ranked; both arrays have space for all values of the digest. */
static void rank_values(const Digest *d, Ranked *spare, Ranked *ret_ranked)
{
    const double *values = d->values;
    uint64_t sum = 0;

    for (size_t h = 0; h < DIGEST_HEIGHTS; values += d->n[h], h++) {
        if (d->n[h] == 0)
            continue;
        const Ranked before = *ret_ranked;
        merge_weighted(&before, values, d->n[h], UINT64_C(1) << h, spare);
        *ret_ranked = *spare;
        *spare = before;
    }
    for (size_t k = 0; k < ret_ranked->n; k++)
        ret_ranked->upto[k] = sum += ret_ranked->upto[k];
}

/* Number i in order, from 0. */
static double ranked_value(const Digest *d, const Ranked *ranked, uint64_t i)
{
    size_t low = 0, high = ranked->n - 1;

    if (i == 0)
        return d->least;
    if (i + 1 >= d->count)
        return d->most;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (ranked->upto[middle] > i)
            high = middle;
        else
            low = middle + 1;
    }
    return ranked->values[low];
}

Status digest_quantiles(const Digest *d, const double *levels, size_t n_levels, double *ret_values,
                        Error *err)
{
    const size_t n = d->n_values;
    double *values = alloc_array(2 * n, sizeof *values);
    uint64_t *upto = alloc_array(2 * n, sizeof *upto);

    /* each level lies between two ranked values */
    if (values && upto && d->count) {
        Ranked ranked = {values, upto, 0}, spare = {values + n, upto + n, 0};
        rank_values(d, &spare, &ranked);
        for (size_t k = 0; k < n_levels; k++) {
            const double place = levels[k] * (double)(d->count - 1), below = floor(place);
            const uint64_t i = (uint64_t)below;
            ret_values[k] = statistics_between(ranked_value(d, &ranked, i),
                                               ranked_value(d, &ranked, i + 1), place - below);
        }
    }
    for (size_t k = 0; k < n_levels && !d->count; k++)
        ret_values[k] = NAN;
    free(values);
    free(upto);
    return values && upto ? OK : no_memory(err);
}

static void put_words(Text *words, const void *from, size_t n)
{
    text_append(words, from, n * sizeof(uint64_t));
}

static void put_sum(Text *words, const ExactSum *sum)
{
    uint64_t packed[EXACT_SUM_WORDS];
    put_words(words, packed, exact_sum_pack(sum, packed));
}

/* Position of the height in the first word of a list, in bits; its length is below. */
enum { HEIGHT_AT = 56 };

void digest_write(const Digest *d, Text *words)
{
    const double *values = d->values;
    uint64_t n_lists = 0;

    /* an empty digest is a single zero */
    put_words(words, &d->count, 1);
    if (d->count == 0)
        return;
    put_words(words, &d->least, 1);
    put_words(words, &d->most, 1);
    put_words(words, &d->above, 1);
    put_words(words, &d->below, 1);
    put_sum(words, &d->sum);
    put_sum(words, &d->squares);
    for (size_t h = 0; h < DIGEST_HEIGHTS; h++)
        n_lists += d->n[h] > 0;
    put_words(words, &n_lists, 1);
    for (uint64_t h = 0; h < DIGEST_HEIGHTS; h++) {
        const uint64_t head = h << HEIGHT_AT | d->n[h];
        if (d->n[h] == 0)
            continue;
        put_words(words, &head, 1);
        put_words(words, values, d->n[h]);
        values += d->n[h];
    }
}

static bool take_words(const uint64_t *words, size_t n, size_t *at, void *ret, size_t wanted)
{
    if (wanted > n - *at)
        return false;
    if (wanted)
        memcpy(ret, words + *at, wanted * sizeof *words);
    *at += wanted;
    return true;
}

static bool take_sum(const uint64_t *words, size_t n, size_t *at, ExactSum *ret)
{
    const size_t taken = exact_sum_unpack(words + *at, n - *at, ret);
    *at += taken;
    return taken > 0;
}

/* False: there is no list, or a damaged one. *io_left: the number of members that later lists
 * stand for; this list takes its share. */
static bool take_list(const uint64_t *words, size_t n, size_t *at, Digest *d, size_t *next_height,
                      uint64_t *io_left, bool *ret_memory)
{
    uint64_t head;

    /* the head tells height and length; neither may exceed the words and the members that are
     * left */
    if (!take_words(words, n, at, &head, 1))
        return false;
    const uint64_t height = head >> HEIGHT_AT, length = head & ((UINT64_C(1) << HEIGHT_AT) - 1);
    if (height < *next_height || height >= DIGEST_HEIGHTS || length == 0 || length > n - *at ||
        length > *io_left >> height)
        return false;
    if (!digest_grow(d, d->n_values + (size_t)length)) {
        *ret_memory = false;
        return false;
    }
    *next_height = (size_t)height + 1;
    *io_left -= length << height;
    d->n[height] = (size_t)length;
    d->n_values += (size_t)length;
    return take_words(words, n, at, d->values + d->n_values - length, (size_t)length);
}

Status digest_read(const uint64_t *words, size_t n, size_t *io_at, Digest *ret_digest, Error *err)
{
    Digest *d = ret_digest;
    size_t at = *io_at, height = 0;
    uint64_t n_lists = 0;
    bool memory = true;

    digest_clear(d);
    /* read the fixed part, then the lists, which must account for every value */
    bool good = take_words(words, n, &at, &d->count, 1);
    if (good && d->count) {
        uint64_t left = d->count;
        good = take_words(words, n, &at, &d->least, 1) && take_words(words, n, &at, &d->most, 1) &&
               take_words(words, n, &at, &d->above, 1) && take_words(words, n, &at, &d->below, 1) &&
               take_sum(words, n, &at, &d->sum) && take_sum(words, n, &at, &d->squares) &&
               take_words(words, n, &at, &n_lists, 1);
        for (uint64_t k = 0; good && k < n_lists; k++)
            good = take_list(words, n, &at, d, &height, &left, &memory);
        good = good && left == 0;
    }
    if (!memory)
        return no_memory(err);
    if (!good)
        return error_set(err, ERR_DAMAGED, "statistics over time are damaged");
    *io_at = at;
    return OK;
}
