/* Values of members: by their place in lists, or by quantiles of points in the unit cube. */
#include "core/ensemble/design.h"

#include <inttypes.h>
#include <math.h>

#include "core/ensemble/sequences.h"
#include "core/numeric/normal.h"

struct Design {
    DesignSpec spec;
    uint64_t count;
    Sobol *sobol; /* the dimensions of Sobol's and Saltelli's designs */
};

/* Points of the sequence: a theorem, as its direction numbers have SOBOL_BITS bits. No unit. */
static const uint64_t SOBOL_POINTS = UINT64_C(1) << SOBOL_BITS;

static bool is_random(DesignKind kind)
{
    return kind != DESIGN_GRID && kind != DESIGN_ZIP;
}

static Status count_grid(const DesignSpec *spec, uint64_t most, uint64_t *ret_count, Error *err)
{
    uint64_t count = 1;

    for (size_t a = 0; a < spec->n_axes; a++) {
        const uint64_t values = spec->axes[a].count;
        if (values > most / count)
            return error_set(err, ERR_LIMIT, "the grid has more than %" PRIu64 " members", most);
        count *= values;
    }
    *ret_count = count;
    return OK;
}

static Status count_zip(const DesignSpec *spec, uint64_t *ret_count, Error *err)
{
    const DesignAxis *first = &spec->axes[0];

    for (size_t a = 1; a < spec->n_axes; a++)
        if (spec->axes[a].count != first->count)
            return error_set(err, ERR_INVALID,
                             "zipped lists are of one length: %s has %" PRIu64
                             " values, %s %" PRIu64,
                             first->path, first->count, spec->axes[a].path, spec->axes[a].count);
    *ret_count = first->count;
    return OK;
}

static Status count_members(const DesignSpec *spec, uint64_t most, uint64_t *ret_count, Error *err)
{
    const uint64_t block = spec->kind == DESIGN_SALTELLI ? spec->n_axes + 2 : 1;

    if (spec->kind == DESIGN_GRID)
        return count_grid(spec, most, ret_count, err);
    if (spec->kind == DESIGN_ZIP)
        return count_zip(spec, ret_count, err);
    if (spec->count > most / block)
        return error_set(err, ERR_LIMIT, "the design has more than %" PRIu64 " members", most);
    if ((spec->kind == DESIGN_SOBOL || block > 1) && spec->count > SOBOL_POINTS)
        return error_set(err, ERR_LIMIT, "Sobol's sequence has %" PRIu64 " points here",
                         SOBOL_POINTS);
    *ret_count = spec->count * block;
    return OK;
}

Status design_new(const DesignSpec *spec, uint64_t most, Arena *arena, Design **ret_design,
                  Error *err)
{
    const bool twice = spec->kind == DESIGN_SALTELLI, sobol = spec->kind == DESIGN_SOBOL || twice;
    const size_t dimensions = sobol ? spec->n_axes * (twice ? 2 : 1) : 0;
    Design *d = ARENA_NEW(arena, 1, Design);
    Sobol *sequences = ARENA_NEW(arena, dimensions, Sobol);
    uint64_t count = 0;

    if (arena_failed(arena))
        return arena_status(arena, err);
    /* each member of a saltelli design mixes two points: two dimensions for an axis */
    if (dimensions > SOBOL_DIMENSIONS)
        return error_set(err, ERR_LIMIT, "a %s design has at most %d axes",
                         twice ? "saltelli" : "sobol", SOBOL_DIMENSIONS / (twice ? 2 : 1));
    Status status = count_members(spec, most, &count, err);
    if (status == OK && count > most)
        status = error_set(err, ERR_LIMIT, "the design has more than %" PRIu64 " members", most);
    if (status != OK)
        return status;
    for (size_t k = 0; k < dimensions; k++)
        sequences[k] = sobol_dimension(k);
    *d = (Design){.spec = *spec, .count = count, .sobol = sequences};
    *ret_design = d;
    return OK;
}

uint64_t design_count(const Design *design)
{
    return design->count;
}

size_t design_axes(const Design *design)
{
    return design->spec.n_axes;
}

/* The value k / n of the way from `from` to `to`. Both ends are exact: with 1, 2, .. 10 the
 * value 7 is exactly 7. */
static double between(const DesignAxis *axis, double k, double n)
{
    const double from = axis->from, to = axis->to;

    if (k <= 0)
        return from;
    if (k >= n)
        return to;
    if (axis->log) {
        const double ratio = to / from, part = k / n;
        if (isnormal(ratio))
            return from * pow(ratio, part);
        return copysign(pow(fabs(from), 1 - part) * pow(fabs(to), part), from);
    }
    const double sum = from * (n - k) + to * k;
    return isfinite(sum) ? sum / n : from * (1 - k / n) + to * (k / n);
}

static double listed(const DesignAxis *axis, uint64_t k)
{
    if (axis->kind == AXIS_LIST)
        return axis->list[k];
    return between(axis, (double)k, (double)(axis->count - 1));
}

static double quantile(const DesignAxis *axis, double u)
{
    if (axis->kind == AXIS_RANGE)
        return between(axis, u, 1);
    const double x =
        axis->mean + axis->sd * normal_quantile(u, (axis->least - axis->mean) / axis->sd,
                                                (axis->most - axis->mean) / axis->sd);
    return fmin(fmax(x, axis->least), axis->most); /* also after rounding */
}

size_t design_saltelli(const Design *design, uint64_t k, uint64_t *ret_base)
{
    const uint64_t block = design->spec.n_axes + 2;

    *ret_base = k / block;
    return (size_t)(k % block);
}

static double unit_point(const Design *d, uint64_t k, size_t axis)
{
    const DesignSpec *spec = &d->spec;
    size_t dimension = axis;

    if (spec->kind == DESIGN_RANDOM)
        return philox_uniform(spec->seed, k, (uint32_t)axis);
    if (spec->kind == DESIGN_LATIN)
        return latin_uniform(spec->seed, (uint32_t)axis, d->count, k);
    if (spec->kind == DESIGN_SALTELLI) {
        const size_t place = design_saltelli(d, k, &k);
        if (place == spec->n_axes + 1 || place == axis + 1)
            dimension += spec->n_axes;
    }
    const Philox key = philox((Philox){{(uint32_t)dimension, 0, 0, UINT32_MAX}}, spec->seed);
    return sobol_uniform(&d->sobol[dimension], (uint64_t)key.word[0] << 32 | key.word[1], k);
}

void design_values(const Design *design, uint64_t k, double *ret_values)
{
    const DesignSpec *spec = &design->spec;

    for (size_t a = spec->n_axes; a-- > 0;) {
        const DesignAxis *axis = &spec->axes[a];
        if (is_random(spec->kind)) {
            ret_values[a] = quantile(axis, unit_point(design, k, a));
        } else if (spec->kind == DESIGN_ZIP) {
            ret_values[a] = listed(axis, k);
        } else {
            ret_values[a] = listed(axis, k % axis->count);
            k /= axis->count;
        }
    }
}
