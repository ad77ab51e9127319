/* Stages of one lane, for each instruction set (kernels.h). Stages are written out, so that the
 * compiler knows each sum of the tableau. */
#include "core/integrate/dop853_blocks.h"
#include "core/integrate/dop853_one.h"
#include "core/program/kernels.h"

/* Takes the rates of stage s, and makes the argument of the next one. */
KNOWN void take_stage(const OdeStep *step, const OneLane *lane, const double *rates, const size_t s)
{
    const Dop853Row *row = &DOP853_A[s + 1];
    const double *const y = step->y, *const start = step->rates;
    const double h = step->h[0], w = row->weight[row->n - 1];
    const size_t dim = step->dim, rows = step->rows;
    const StagesOfRow stages = stages_of_row(lane->k, row, row->n - 1);
    double *const k = lane->k[s], *const older = lane->older, *argument = step->scratch.place;

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

/* Nothing follows. */
KNOWN void take_last(const OdeStep *step, const OneLane *lane, const double *rates, const size_t s)
{
    const size_t room = combine_room(step->rows);
    double *const k = lane->k[s];

    for (size_t i = 0; i < room; i += BLOCK)
        *block_of(k, i) = gathered(rates + i) - *block_at(step->rates, i);
}

/* The place of the rates of stage s; NULL: the pulse stops the run before. */
KNOWN double *evaluate(OdeStep *step, const OneLane *lane, bool paid, const size_t s)
{
    const OdeSystem *system = step->system;
    double *const rates = step->scratch.results != NULL ? step->scratch.results : lane->k[s];

    if (!paid && !ode_pulse(&step->pulse))
        return NULL;
    system->rates(system->self, step->scratch.place, step->scratch.place + 1, rates, 1);
    return rates;
}

#define STAGE(first, s)                                  \
    if ((rates = evaluate(step, lane, paid, s)) == NULL) \
        return (s) - (first);                            \
    take_stage(step, lane, rates, s);
#define LAST_STAGE(first, s)                             \
    if ((rates = evaluate(step, lane, paid, s)) == NULL) \
        return (s) - (first);                            \
    take_last(step, lane, rates, s);                     \
    return (s) - (first) + 1;

static size_t stages_of_step(OdeStep *step, const OneLane *lane)
{
    const bool paid = ode_pulse_ahead(&step->pulse, DOP853_STAGES - 1);
    double *rates;

    STAGE(1, 1)
    STAGE(1, 2)
    STAGE(1, 3)
    STAGE(1, 4)
    STAGE(1, 5)
    STAGE(1, 6)
    STAGE(1, 7)
    STAGE(1, 8)
    STAGE(1, 9)
    STAGE(1, 10)
    LAST_STAGE(1, 11)
}

static size_t stages_of_dense(OdeStep *step, const OneLane *lane)
{
    const bool paid = ode_pulse_ahead(&step->pulse, DOP853_ALL_STAGES - 1 - DOP853_STAGES);
    double *rates;

    STAGE(13, 13)
    STAGE(13, 14)
    LAST_STAGE(13, 15)
}

static void take_end(const OdeStep *step, const OneLane *lane)
{
    take_stage(step, lane, step->rates_new, DOP853_STAGES);
}

static ErrorSquares end_step(const OdeStep *step, const OneLane *lane)
{
    const EndOfStep end = end_of_step(step, lane->k);
    const Block h = step->h[0] - (Block){0};
    const size_t dim = step->dim, rows = step->rows;
    ErrorSquares squares = {0, 0};
    Block a, b;

    for (size_t i = 0; i < rows; i += BLOCK) {
        const Block slope = end_block(&end, i, &h);
        if (i >= dim)
            continue; /* quadratures have no tolerance */
        end_errors(&end, i, &h, &slope, &a, &b);
        squares.order5 = add_first(squares.order5, &a, dim - i);
        squares.order3 = add_first(squares.order3, &b, dim - i);
    }
    return squares;
}

const Dop853One KERNEL_NAME(dop853_one) = {take_end, stages_of_step, stages_of_dense, end_step};

#undef STAGE
#undef LAST_STAGE
