/* Quantities on a motion, compared with constants within the accuracy of the run. */
#include "core/invariants/observation.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/expr/calculus/calculus.h"
#include "core/program/function.h"

/* Of a quantity Q: its value, the size of its terms, and sum a |Q_q| + sum a |Q_v| with the
 * absolute tolerances a of q and v, the last inputs. */
enum { VALUE, SIZE, SLOPES, PARTS };

/* States that are evaluated together. */
enum { LANES = 8 };

static Expr slopes_of(ExprPool *pool, Expr quantity, const Expr *state, const Expr *tolerances,
                      size_t n, Expr *gradient)
{
    expr_gradient(pool, quantity, state, n, gradient);
    for (size_t i = 0; i < n; i++)
        gradient[i] = expr_mul(pool, tolerances[i], expr_abs(pool, gradient[i]));
    return expr_sum(pool, n, NULL, gradient);
}

Status observation_compile(const AnalysisContext *context, const Expr *quantities, size_t n,
                           Program **ret, Error *err)
{
    const Model *m = context->model;
    ExprPool *pool = context->pool;
    const size_t dim = 2 * m->n;
    Arena scratch = {0};
    Expr *outputs = ARENA_NEW(&scratch, PARTS * n, Expr), *state = ARENA_NEW(&scratch, dim, Expr);
    Expr *tolerances = ARENA_NEW(&scratch, dim, Expr), *work = ARENA_NEW(&scratch, dim, Expr);
    Status status = arena_status(&scratch, err);

    if (status == OK) {
        memcpy(state, m->sym.q, m->n * sizeof *state);
        memcpy(state + m->n, m->sym.v, m->n * sizeof *state);
    }
    /* the tolerances are new symbols */
    for (size_t i = 0; status == OK && i < dim; i++)
        tolerances[i] = expr_symbol(pool, m->sym.first_free + (uint32_t)i);
    for (size_t k = 0; status == OK && k < n; k++) {
        Expr *parts = outputs + PARTS * k;
        parts[VALUE] = quantities[k];
        parts[SIZE] = expr_terms_size(pool, quantities[k]);
        parts[SLOPES] = slopes_of(pool, quantities[k], state, tolerances, dim, work);
    }
    if (status == OK)
        status = analysis_compile(
            m, pool,
            &(AnalysisOutputs){.exprs = outputs, .n = PARTS * n, .more = tolerances, .n_more = dim},
            ret, err);
    arena_done(&scratch);
    return status;
}

size_t observation_quantities(const Program *program)
{
    return program_n_outputs(program) / PARTS;
}

/* Adds a state to an observation; *accuracy: the largest error bound so far. */
static void observe(const AnalysisContext *context, const double *parts, Observation *seen,
                    double *accuracy)
{
    if (!seen->made)
        *seen = (Observation){.made = true, .initial = parts[VALUE]};
    seen->final = parts[VALUE];
    seen->max_drift = fmax(seen->max_drift, fabs(parts[VALUE] - seen->initial));
    /* the error bound of a run at this tolerance */
    *accuracy =
        fmax(*accuracy, fmax(context->steps.rtol, ACCURACY_ROUNDED) * parts[SIZE] + parts[SLOPES]);
}

/* The states from k on side by side, in[n_inputs][LANES]; lanes beyond the last state repeat it. */
static void states_into_lanes(const Model *m, const Trajectory *motion, size_t k, double *state,
                              double *in)
{
    const size_t n_state = analysis_n_inputs(m);

    for (size_t lane = 0; lane < LANES; lane++) {
        if (k + lane < motion->n_states)
            analysis_inputs(m, motion, k + lane, state);
        for (size_t i = 0; i < n_state; i++)
            in[i * LANES + lane] = state[i];
    }
}

Status observation_run(const AnalysisContext *context, const Program *program, Observation *ret,
                       Error *err)
{
    const Trajectory *motion = context->trajectory;
    const size_t n = observation_quantities(program), n_state = analysis_n_inputs(context->model);
    Arena scratch = {0};
    double *accuracy = arena_doubles(&scratch, n), *state = arena_doubles(&scratch, n_state);
    double *parts = arena_doubles(&scratch, PARTS * n);
    Function f = {0};
    Status status = arena_status(&scratch, err);

    memset(ret, 0, n * sizeof *ret);
    /* the tolerances stay the same for all states */
    if (status == OK)
        status = function_bind(&f, program, context->params, LANES, err);
    for (size_t i = 0; status == OK && i < 2 * context->model->n * LANES; i++)
        f.in[n_state * LANES + i] =
            context->steps.atol * (context->steps.nominal ? context->steps.nominal[i / LANES] : 1);
    for (size_t k = 0; status == OK && motion && k < motion->n_states; k += LANES) {
        states_into_lanes(context->model, motion, k, state, f.in);
        const double *values = function_eval(&f);
        for (size_t lane = 0; lane < LANES && k + lane < motion->n_states; lane++) {
            for (size_t i = 0; i < PARTS * n; i++)
                parts[i] = values[i * LANES + lane];
            for (size_t i = 0; i < n; i++)
                observe(context, parts + PARTS * i, &ret[i], &accuracy[i]);
        }
        if (k % 64 == 0)
            status = analysis_poll(context, err);
    }
    /* errors of many steps add up */
    for (size_t i = 0; status == OK && i < n; i++)
        ret[i].conserved = ret[i].max_drift <= ERROR_GROWTH * accuracy[i];
    function_done(&f);
    arena_done(&scratch);
    return status;
}

void observation_report(const Observation *observation, Verdict *verdict)
{
    if (!observation->made)
        return;
    verdict->observed = true;
    verdict->initial = observation->initial;
    verdict->final = observation->final;
    verdict->max_drift = observation->max_drift;
    verdict->conserved = observation->conserved;
}

Status verdict_observe(const AnalysisContext *context, Expr quantity, Verdict *verdict, Error *err)
{
    if (!context->trajectory || context->trajectory->n_states == 0)
        return OK;

    Program *program = NULL;
    Observation seen = {0};
    Status status = observation_compile(context, &quantity, 1, &program, err);

    if (status == OK)
        status = observation_run(context, program, &seen, err);
    if (status == OK)
        observation_report(&seen, verdict);
    program_free(program);
    return status;
}

Status reaction_context(const AnalysisContext *context, AnalysisContext *ret, Error *err)
{
    enum { STATES = 64, SEED = 14 }; /* as many as analyses share; any seed will do */

    *ret = *context;
    if (!analysis_keeps_multipliers(context))
        return OK;
    ret->formulation = NULL;
    ret->trajectory = NULL;
    return analysis_make_states(ret, STATES, SEED, err);
}

static void take_observation(const AnalysisContext *context, const double *values, size_t count,
                             Verdict *verdict)
{
    double size = 0;

    verdict->initial = values[0];
    verdict->final = values[2 * (count - 1)];
    for (size_t k = 0; k < count; k++) {
        verdict->max_drift = fmax(verdict->max_drift, fabs(values[2 * k]));
        size = fmax(size, fabs(values[2 * k + 1]));
    }
    verdict->conserved =
        verdict->max_drift <= ERROR_GROWTH * fmax(context->steps.rtol, ACCURACY_ROUNDED) * size;
    verdict->observed = true;
}

Status verdict_observe_vanishing(const AnalysisContext *context, Expr quantity, Expr scale,
                                 Verdict *verdict, Error *err)
{
    const Trajectory *motion = context->trajectory;
    if (!motion || motion->n_states == 0)
        return OK;

    double *values = arena_doubles(context->scratch, 2 * motion->n_states);
    const Expr pair[2] = {quantity, scale};
    Status status = arena_status(context->scratch, err);
    if (status == OK)
        status = analysis_evaluate(context, pair, 2, motion, values, err);
    if (status == OK)
        take_observation(context, values, motion->n_states, verdict);
    return status;
}

Status verdict_vanish(const AnalysisContext *context, const TermSum *sum, Verdict *verdict,
                      double *ret_worst, Error *err)
{
    AnalysisContext of_power = *context;

    of_power.inquiry.concern = CONCERN_POWER;
    Status status = verdict_predict(&of_power, sum, verdict, ret_worst, err);
    if (status == OK)
        status = verdict_observe_vanishing(
            context, expr_sum(context->pool, sum->n, NULL, sum->terms), sum->scale, verdict, err);
    return status;
}
