/* Stages of one lane, for the instruction set that the including file is compiled for: it defines DOP853_ONE, the name of the
 * table. */
#ifndef CORE_INTEGRATE_DOP853_ONE_BODY_H
#define CORE_INTEGRATE_DOP853_ONE_BODY_H

#include "core/integrate/combine_blocks.h"
#include "core/integrate/dop853_one.h"
#include "core/integrate/dop853_tableau.h"

static inline void take_stage(const OdeStep *step, const OneLane *lane, const double *rates,
                              size_t s)
{
    const Dop853Row *row = &DOP853_A[s + 1];
    const double *const y = step->y, *const start = step->rates, *const older = lane->older;
    const double h = step->h[0], w = row->weight[row->n - 1];
    const size_t dim = step->dim, rows = step->rows;
    double *const k = lane->k + (s - 1) * combine_room(rows), *argument = step->place;

    sum_stages(&lane->sums[s], dim, lane->older);
    *argument++ = step->t[0] + row->weight[0] * h;
    for (size_t i = 0; i < dim; i++) {
        const double newest = rates[i] - start[i];
        k[i] = newest;
        argument[i] = y[i] + h * (older[i] + w * newest);
    }
    for (size_t i = dim; i < rows; i++)
        k[i] = rates[i] - start[i];
}

/* Nothing follows. */
static inline void take_last(const OdeStep *step, const OneLane *lane, const double *rates,
                             size_t s)
{
    const size_t room = combine_room(step->rows);
    double *const k = lane->k + (s - 1) * room;

    for (size_t i = 0; i < room; i += BLOCK)
        *block_of(k, i) = gathered(rates + i) - *block_at(step->rates, i);
}

static size_t evaluate_stages(OdeStep *step, const OneLane *lane, size_t first, size_t last)
{
    const OdeSystem *system = step->system;
    const size_t room = combine_room(step->rows), n = last - first + 1;
    const bool paid = ode_pulse_ahead(&step->pulse, (unsigned)n);

    for (size_t s = first;; s++) {
        double *const rates = step->results != NULL ? step->results : lane->k + (s - 1) * room;
        if (!paid && !ode_pulse(&step->pulse))
            return s - first;
        system->rates(system->self, step->place, step->place + 1, rates, 1);
        if (s == last) {
            take_last(step, lane, rates, s);
            return n;
        }
        take_stage(step, lane, rates, s);
    }
}

static ErrorSquares end_step(const OdeStep *step, const OneLane *lane)
{
    const StepEndSum sum = {.y = step->y, .carry = step->carry};
    const ErrorTerms terms = {.atol = step->atol,
                              .rtol = step->rtol,
                              .y = step->y,
                              .y_new = step->y_new,
                              .size = step->size,
                              .noise = step->noise,
                              .carried = step->carried};
    const Block h = step->h[0] - (Block){0};
    const size_t dim = step->dim, rows = step->rows;
    double *const y_new = step->y_new, *const carry_new = step->carry_new;
    ErrorSquares squares = {0, 0};
    Block y, carry, a, b;

    for (size_t i = 0; i < rows; i += BLOCK) {
        EstimateBlocks of = {.slope = sum_block(DOP853_B_TERMS, &lane->slope, i)};
        advance_block(&sum, i, &of.slope, &h, &y, &carry);
        *block_of(y_new, i) = y;
        *block_of(carry_new, i) = carry;
        if (i >= dim)
            continue;
        of.error5 = sum_block(DOP853_E5_TERMS, &lane->error5, i);
        of.error3 = sum_block(DOP853_E3_TERMS, &lane->error3, i);
        error_block(&terms, i, &h, &of, &a, &b);
        squares.order5 = add_first(squares.order5, &a, dim - i);
        squares.order3 = add_first(squares.order3, &b, dim - i);
    }
    return squares;
}

const Dop853One DOP853_ONE = {take_stage, evaluate_stages, end_step};

#endif
