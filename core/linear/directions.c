/* Derivatives of expressions along many directions at once: forward mode, one lane a direction. */
#include "core/linear/directions.h"

#include <string.h>

#include "core/base/stop_token.h"
#include "core/expr/calculus/calculus.h"

/* Most operations of all lanes in one evaluation (no unit), because an evaluation cannot be
 * cancelled; but at least LEAST_LANES lanes for speed. Conventions. */
enum { MOST_AT_ONCE = 1 << 27, LEAST_LANES = 8 };

void directions_done(Directions *d)
{
    function_done(&d->function);
}

Status directions_init(Directions *d, Program *program, size_t n_state, size_t columns,
                       const double *params, Error *err)
{
    size_t lanes = columns == 0 ? 1 : columns;

    if (lanes > PROGRAM_MAX_LANES)
        lanes = PROGRAM_MAX_LANES;
    while (lanes > LEAST_LANES && lanes * program_length(program) > MOST_AT_ONCE)
        lanes /= 2;
    *d = (Directions){.n_state = n_state};
    Status status = function_bind(&d->function, program, params, lanes, err);
    d->function.owned = program;
    if (status != OK)
        directions_done(d);
    return status;
}

/* Columns first .. first + count - 1 of the parts become the lanes; other lanes stay. */
static void fill_directions(Directions *d, const DirectionRows *parts, size_t n_parts,
                            size_t columns, size_t first, size_t count)
{
    const size_t lanes = d->function.lanes;
    double *in = d->function.in + d->n_state * lanes;

    for (size_t p = 0; p < n_parts; p++)
        for (size_t i = 0; i < parts[p].n; i++, in += lanes) {
            if (parts[p].rows)
                memcpy(in, parts[p].rows + i * columns + first, count * sizeof *in);
            else
                memset(in, 0, lanes * sizeof *in);
        }
}

void directions_eval(Directions *d, const double *state, const DirectionRows *parts, size_t n_parts,
                     size_t columns, double *ret)
{
    const size_t lanes = d->function.lanes;

    /* the state is the same in all lanes; each lane takes a direction of its own */
    for (size_t i = 0; i < d->n_state; i++)
        for (size_t lane = 0; lane < lanes; lane++)
            d->function.in[i * lanes + lane] = state[i];
    const Program *program = d->function.program;
    const size_t work = program ? program_length(program) * lanes : 0;
    const size_t n_out = program ? program_n_outputs(program) : 0;
    for (size_t first = 0; first < columns; first += lanes) {
        if (stop_token_spend(work, NULL) != OK)
            return;
        const size_t left = columns - first, count = left < lanes ? left : lanes;
        fill_directions(d, parts, n_parts, columns, first, count);
        const double *out = function_eval(&d->function);
        for (size_t i = 0; i < n_out; i++)
            memcpy(ret + i * columns + first, out + i * lanes, count * sizeof *ret);
    }
}

Status directions_derive(Directions *d, const DirectionSpec *spec, size_t columns,
                         const double *params, Error *err)
{
    const Model *model = spec->model;
    const size_t n = spec->n_directed + spec->n_parameters;
    Arena scratch = {0};
    Expr *inputs = ARENA_NEW(&scratch, spec->n_state + n, Expr), *rates = inputs + spec->n_state;
    Expr *symbols = ARENA_NEW(&scratch, n, Expr);
    Expr *derivatives = ARENA_NEW(&scratch, spec->n_roots, Expr);
    Program *compiled = NULL;

    *d = (Directions){0};
    Status status = arena_status(&scratch, err);
    if (status != OK)
        goto out;
    /* a symbol for the rate of each variable that moves, and the roots' derivatives along them */
    memcpy(inputs, spec->state, spec->n_state * sizeof *inputs);
    for (size_t k = 0; k < n; k++) {
        symbols[k] = k < spec->n_directed
                         ? spec->directed[k]
                         : model->sym.params[spec->parameters[k - spec->n_directed]];
        rates[k] = expr_symbol(spec->pool, spec->next_symbol + (uint32_t)k);
    }
    expr_directional(spec->pool, spec->roots, spec->n_roots, symbols, rates, n, derivatives);
    status = expr_pool_status(spec->pool, err);
    ProgramSpec program = {.pool = spec->pool,
                           .params = model->sym.params,
                           .n_params = model->n_params,
                           .inputs = inputs,
                           .n_inputs = spec->n_state + n,
                           .outputs = derivatives,
                           .n_outputs = spec->n_roots};
    if (status == OK)
        status = program_compile(&program, &compiled, err);
    if (status == OK)
        status = directions_init(d, compiled, spec->n_state, columns, params, err);
out:
    arena_done(&scratch);
    return status;
}
