/* Stages of DOP853, for each instruction set (kernels.h); the compiler knows each sum's tableau. */
#include "core/integrate/dop853_kernel.h"
#include "core/integrate/combine.h"
#include "core/integrate/lane_blocks.h"
#include "core/program/kernels.h"

#include "core/integrate/dop853_dense.h"

/* The places of the first n stages of a row: a copy, since a store could change the original. */
typedef struct StagesOfRow {
    const double *k[DOP853_STAGES];
} StagesOfRow;

RULE StagesOfRow stages_of_row(const Dop853Arrays *arrays, const Dop853Row *row, const int n)
{
    StagesOfRow stages;
#pragma GCC unroll 12
    for (int j = 0; j < n; j++)
        stages.k[j] = arrays->k[row->stage[j]];
    return stages;
}

/* One block of the first n terms. */
RULE Block block_of_row(const StagesOfRow *stages, const Dop853Row *row, const int n, size_t i)
{
    Block sum = row->weight[0] * *block_at(stages->k[0], i);
#pragma GCC unroll 12
    for (int j = 1; j < n; j++)
        sum += row->weight[j] * *block_at(stages->k[j], i);
    return sum;
}

RULE void take_one(const OdeStep *step, const Dop853Arrays *arrays, const double *rates,
                   const size_t s)
{
    const Dop853Row *row = &DOP853_A[s + 1];
    const double *const y = step->y, *const start = step->rates;
    const double h = step->h[0], w = row->weight[row->n - 1];
    const size_t dim = step->dim, rows = step->rows;
    const StagesOfRow stages = stages_of_row(arrays, row, row->n - 1);
    double *const k = arrays->k[s], *const older = arrays->older;
    double *argument = step->scratch.place;

    /* sum all terms but the newest by vectors */
    for (size_t i = 0; i < dim; i += BLOCK)
        *block_of(older, i) = block_of_row(&stages, row, row->n - 1, i);
    *argument++ = step->t[0] + row->weight[0] * h;
    /* add the newest term number by number */
    for (size_t i = 0; i < dim; i++) {
        const double newest = rates[i] - start[i];
        k[i] = newest;
        argument[i] = y[i] + h * (older[i] + w * newest);
    }
    /* quadratures have no argument */
    for (size_t i = dim; i < rows; i++)
        k[i] = rates[i] - start[i];
}

RULE void take_lanes(const OdeStep *step, const Dop853Arrays *arrays, const double *rates,
                     const size_t s)
{
    const Dop853Row *row = &DOP853_A[s + 1];
    const size_t lanes = step->lanes, dim = step->dim, rows = step->rows;
    const double *const y = step->y, *const start = step->rates, w = row->weight[row->n - 1];
    const StagesOfRow stages = stages_of_row(arrays, row, row->n - 1);
    double *const k = arrays->k[s], *const place = step->scratch.place,
                  *const state = place + lanes;

    for (size_t block = 0; block < lanes; block += BLOCK) {
        const Block h = *block_at(step->h, block);
        *block_of(place, block) = *block_at(step->t, block) + row->weight[0] * h;
        for (size_t i = block; i < dim * lanes; i += lanes) {
            const Block newest = *block_at(rates, i) - *block_at(start, i);
            const Block older = block_of_row(&stages, row, row->n - 1, i);
            *block_of(k, i) = newest;
            *block_of(state, i) = *block_at(y, i) + h * (older + w * newest);
        }
    }
    /* quadratures have no argument */
    for (size_t i = dim * lanes; i < rows * lanes; i += BLOCK)
        *block_of(k, i) = *block_at(rates, i) - *block_at(start, i);
}

/* Nothing follows. */
static void take_last(const OdeStep *step, const Dop853Arrays *arrays, const double *rates,
                      size_t s)
{
    const size_t n = step->rows * step->lanes;
    double *const k = arrays->k[s];

    for (size_t i = 0; i < n; i += BLOCK)
        *block_of(k, i) = *block_at(rates, i) - *block_at(step->rates, i);
}

RULE void take_stage(const OdeStep *step, const Dop853Arrays *arrays, const double *rates,
                     const size_t s)
{
    if (s == DOP853_STAGES - 1 || s == DOP853_ALL_STAGES - 1)
        take_last(step, arrays, rates, s);
    else if (step->lanes == 1)
        take_one(step, arrays, rates, s);
    else
        take_lanes(step, arrays, rates, s);
}

static void take_end(const OdeStep *step, const Dop853Arrays *arrays, const double *rates)
{
    take_stage(step, arrays, rates, DOP853_STAGES);
}

static size_t evaluate_stages(OdeStep *step, const Dop853Arrays *arrays, size_t first, size_t last)
{
    const OdeSystem *system = step->system;
    double *const place = step->scratch.place;

    /* written out: the stage is a constant in each round, so its row of coefficients is, too */
#pragma GCC unroll 16
    for (size_t s = 1; s < DOP853_ALL_STAGES; s++) {
        if (s == DOP853_STAGES || s < first || s > last)
            continue;
        if (!ode_pulse(&step->pulse))
            return s - first;
        system->rates(system->self, place, place + step->lanes, arrays->k[s], step->lanes);
        take_stage(step, arrays, arrays->k[s], s);
    }
    return last - first + 1;
}

/* The squares of the estimates h error5 and h slope + h error3 over the tolerances. */
RULE void error_blocks(const ToleranceTerms *terms, size_t i, const Block *h, const Block *slope,
                       Block *error5, Block *error3)
{
    const Block scale = 1 / tolerance_block(terms, i, block_at(terms->y_new, i), h);
    const Block a = *h * *error5 * scale;
    const Block b = (*h * *slope + *h * *error3) * scale;
    *error5 = a * a;
    *error3 = b * b;
}

/* The sum of one lane gets the first n squares of the block, one by one; others theirs. */
RULE void add_squares(Block *sum, const Block *squares, bool one, size_t n)
{
    if (!one)
        *sum += *squares;
#pragma GCC unroll 8
    for (size_t j = 0; j < BLOCK; j++)
        if (one && j < n)
            (*sum)[0] += (*squares)[j];
}

/* `one`: of one lane. */
RULE void end_blocks(const OdeStep *step, const Dop853Arrays *arrays, const bool one)
{
    const StepEndSum sum = step_end_sum(step);
    const ToleranceTerms terms = tolerance_terms(step);
    const StagesOfRow increment = stages_of_row(arrays, &DOP853_B, DOP853_B.n);
    const StagesOfRow fifth = stages_of_row(arrays, &DOP853_E5, DOP853_E5.n);
    const StagesOfRow third = stages_of_row(arrays, &DOP853_E3, DOP853_E3.n);
    const size_t lanes = one ? 1 : step->lanes, next = one ? BLOCK : lanes;
    const size_t dim = step->dim * lanes, rows = step->rows * lanes;

    for (size_t block = 0; block < lanes; block += BLOCK) {
        const Block h = lengths_at(step, block);
        Block square5 = {0}, square3 = {0};
        for (size_t i = block; i < rows; i += next) {
            const Block slope = block_of_row(&increment, &DOP853_B, DOP853_B.n, i);
            step_end_block(&sum, i, &slope, &h);
            if (i >= dim)
                continue; /* quadratures have no tolerance */
            Block a = block_of_row(&fifth, &DOP853_E5, DOP853_E5.n, i);
            Block b = block_of_row(&third, &DOP853_E3, DOP853_E3.n, i);
            error_blocks(&terms, i, &h, &slope, &a, &b);
            add_squares(&square5, &a, one, dim - i);
            add_squares(&square3, &b, one, dim - i);
        }
        *block_of(arrays->squares5, block) = square5;
        *block_of(arrays->squares3, block) = square3;
    }
}

static void end_step(const OdeStep *step, const Dop853Arrays *arrays)
{
    if (step->lanes == 1)
        end_blocks(step, arrays, true);
    else
        end_blocks(step, arrays, false);
}

RULE void dense_coefficient(const OdeStep *step, const Dop853Arrays *arrays, const size_t k)
{
    const Dop853Row *row = &DOP853_D[k];
    const StagesOfRow stages = stages_of_row(arrays, row, row->n);
    const size_t lanes = step->lanes, n = step->rows * lanes, next = next_block(step);

    for (size_t block = 0; block < lanes; block += BLOCK) {
        const Block h = lengths_at(step, block);
        for (size_t i = block; i < n; i += next)
            *block_of(arrays->dense[k], i) = block_of_row(&stages, row, row->n, i) * h;
    }
}

static void dense_coefficients(const OdeStep *step, const Dop853Arrays *arrays)
{
    dense_coefficient(step, arrays, 0);
    dense_coefficient(step, arrays, 1);
    dense_coefficient(step, arrays, 2);
    dense_coefficient(step, arrays, 3);
}

static void dense_row(const OdeStep *step, const Dop853Arrays *arrays, size_t row, double theta,
                      double *ret)
{
    for (size_t l = 0; l < step->lanes; l += BLOCK) {
        const DenseBlocks of =
            dense_blocks(step, arrays->dense, row * step->lanes + l, block_at(step->h, l));
        *block_of(ret, l) = dense_value(&of, theta);
    }
}

/* With theta = (1 + s) / 2 the products that start, end and d stand at are (1 - s^2) / 4, (1 +
 * s) (1 - s^2) / 8, and so on: of each the constant, the sum of the sizes of the other
 * coefficients, that of s, and the sum of the others' by their powers. */
static void dense_reach(const OdeStep *step, const Dop853Arrays *arrays, size_t row,
                        const DenseReach *ret)
{
    static const double CONSTANT[] = {1. / 4, 1. / 8, 1. / 16, 1. / 32, 1. / 64, 1. / 128};
    static const double OTHERS[] = {1. / 4, 3. / 8, 3. / 16, 7. / 32, 7. / 64, 15. / 128};
    static const double LINEAR[] = {0, 1. / 8, 0, 1. / 32, 0, 1. / 128};
    static const double POWERS[] = {2. / 4, 5. / 8, 8. / 16, 19. / 32, 24. / 64, 55. / 128};

    for (size_t l = 0; l < step->lanes; l += BLOCK) {
        const DenseBlocks c =
            dense_blocks(step, arrays->dense, row * step->lanes + l, block_at(step->h, l));
        /* the terms y + theta rise, then each product with its constants */
        Block middle = c.y + c.rise / 2, radius = BLOCK_ABSOLUTE(c.rise) / 2;
        Block rate = c.rise / 2, rate_radius = {0};
#pragma GCC unroll 6
        for (size_t k = 0; k < sizeof CONSTANT / sizeof *CONSTANT; k++) {
            const Block of = k == 0 ? c.start : k == 1 ? c.end : c.d[k - 2];
            middle += CONSTANT[k] * of;
            radius += OTHERS[k] * BLOCK_ABSOLUTE(of);
            rate += LINEAR[k] * of;
            rate_radius += POWERS[k] * BLOCK_ABSOLUTE(of);
        }
        *block_of(ret->middle, l) = middle;
        *block_of(ret->radius, l) = radius;
        *block_of(ret->rate, l) = 2 * rate;
        *block_of(ret->rate_radius, l) = 2 * rate_radius;
    }
}

const Dop853Kernel KERNEL_NAME(dop853) = {evaluate_stages,    take_end,  end_step,
                                          dense_coefficients, dense_row, dense_reach};
