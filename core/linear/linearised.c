/* The variational equations d(column)/dt = D(rates) column beside the motion, columns kept tangent
 * to the constraint manifold by the derivative of the projection. */
#include "core/linear/linearised.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/integrate/methods.h"
#include "core/linear/directions.h"
#include "core/motion/eval.h"
#include "core/motion/tangent.h"

enum { SEED = 1 };

struct Linearised {
    LinearisedSpec spec;
    size_t n, dim, m; /* dim = 2 n */
    MotionEval *equations;
    Directions rates, lambda;
    Function shaken; /* the program of the rates, for one column */
    Random random;
    Expr norms[EXPR_MOST_NORMS]; /* n_norms of which the directions have limits in the middle */
    size_t n_norms;
    TangentSpace *space;
    Arena memory;  /* owns: */
    double *state; /* 1 + dim: t, y, and n_switches modes */
    size_t n_state;
    double *motion_rates; /* dim + 1 */
    double *column_rates; /* [dim][m] */
};

void linearised_free(Linearised *x)
{
    if (!x)
        return;
    function_done(&x->shaken);
    directions_done(&x->rates);
    directions_done(&x->lambda);
    tangent_space_free(x->space);
    motion_eval_free(x->equations);
    arena_done(&x->memory);
    free(x);
}

size_t linearised_size(const Linearised *x)
{
    return x->dim * (1 + x->m);
}

TangentSpace *linearised_space(Linearised *x)
{
    return x->space;
}

static Status linearised_compile(Linearised *x, Error *err)
{
    const LinearisedSpec *spec = &x->spec;
    MotionTangent tangent = {0};
    Status status = motion_tangent(spec->model, spec->motion, spec->parameters, spec->n_parameters,
                                   spec->limits, &tangent, err);

    memcpy(x->norms, tangent.norms, sizeof x->norms);
    x->n_norms = tangent.n_norms;
    /* directions_init() takes its program over, also if it fails */
    if (status == OK && tangent.lambda) {
        status = directions_init(&x->lambda, tangent.lambda, x->n_state, x->m, spec->params, err);
        tangent.lambda = NULL;
    }
    if (status == OK) {
        status = directions_init(&x->rates, tangent.rates, x->n_state, x->m, spec->params, err);
        tangent.rates = NULL;
    }
    if (status == OK && spec->shaken)
        status = function_bind(&x->shaken, x->rates.function.program, spec->params, 1, err);
    motion_tangent_done(&tangent);
    return status;
}

Status linearised_new(const LinearisedSpec *spec, Linearised **ret_linearised, Error *err)
{
    const Motion *motion = spec->motion;
    Linearised *x = alloc_array(1, sizeof *x);
    if (!x)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    *x = (Linearised){.spec = *spec, .n = motion->n, .dim = motion->dim, .m = spec->columns};
    TangentSpec space = {.model = spec->model,
                         .eval = spec->eval,
                         .params = spec->params,
                         .rows = motion->rows,
                         .n_rows = motion->n_rows,
                         .parameters = spec->parameters,
                         .n_parameters = spec->n_parameters,
                         .columns = spec->columns};
    random_init(&x->random, SEED);
    /* inputs of the tangent programs: t, the state, and the modes of its switches */
    x->n_state = 1 + x->dim + motion->n_switches;
    x->state = arena_doubles(&x->memory, x->n_state);
    x->motion_rates = arena_doubles(&x->memory, x->dim + 1);
    x->column_rates = arena_doubles(&x->memory, x->dim * x->m);
    Status status = arena_status(&x->memory, err);
    if (status == OK)
        status = linearised_compile(x, err);
    if (status == OK)
        status = motion_eval_new(spec->model, motion, spec->params, false, &x->equations, err);
    if (status == OK)
        status = tangent_space_new(&space, &x->space, err);
    if (status == OK)
        *ret_linearised = x;
    else
        linearised_free(x);
    return status;
}

static void linearised_set_state(Linearised *x, double t, const double *y)
{
    x->state[0] = t;
    memcpy(x->state + 1, y, x->dim * sizeof *y);
}

static void linearised_evaluate(Linearised *x, Directions *program, double t, const double *y,
                                double *ret)
{
    const DirectionRows parts[] = {{y + x->dim, x->dim}, {x->spec.dp, x->spec.n_parameters}};

    linearised_set_state(x, t, y);
    directions_eval(program, x->state, parts, 2, x->m, ret);
}

void linearised_rates(void *self, const double *t, const double *y, double *ret_rates, size_t lanes)
{
    Linearised *x = self;

    (void)lanes; /* one */
    motion_eval_rates(x->equations, t, y, x->motion_rates);
    memcpy(ret_rates, x->motion_rates, x->dim * sizeof *ret_rates);
    linearised_evaluate(x, &x->rates, *t, y, ret_rates + x->dim);
    ret_rates[linearised_size(x)] = x->motion_rates[x->dim];
}

void linearised_rates_shaken(Linearised *x, double t, const double *y, double *ret_rates)
{
    const size_t n_parameters = x->spec.n_parameters;
    double *in = x->shaken.in;

    /* rates of the motion, then of one column after the other */
    motion_eval_rates_shaken(x->equations, t, y, x->motion_rates);
    memcpy(ret_rates, x->motion_rates, x->dim * sizeof *ret_rates);
    linearised_set_state(x, t, y);
    memcpy(in, x->state, x->n_state * sizeof *in);
    in += x->n_state;
    for (size_t c = 0; c < x->m; c++) {
        for (size_t i = 0; i < x->dim; i++)
            in[i] = y[x->dim + i * x->m + c];
        for (size_t k = 0; k < n_parameters; k++)
            in[x->dim + k] = x->spec.dp[k * x->m + c];
        function_eval_shaken(&x->shaken, x->shaken.in, x->column_rates,
                             &(Shakes){.by = DBL_EPSILON, .random = &x->random});
        for (size_t i = 0; i < x->dim; i++)
            ret_rates[x->dim + i * x->m + c] = x->column_rates[i];
    }
}

void linearised_state_rates(Linearised *x, double t, const double *state, double *ret_rates)
{
    motion_eval_rates(x->equations, &t, state, x->motion_rates);
    memcpy(ret_rates, x->motion_rates, x->dim * sizeof *ret_rates);
}

void linearised_accelerations(Linearised *x, double t, const double *y, double *ret)
{
    linearised_evaluate(x, &x->rates, t, y, x->column_rates);
    memcpy(ret, x->column_rates + x->n * x->m, x->n * x->m * sizeof *ret);
}

void linearised_multipliers(Linearised *x, double t, const double *y, double *ret)
{
    if (x->lambda.function.program)
        linearised_evaluate(x, &x->lambda, t, y, ret);
}

void linearised_along(Linearised *x, double t, const double *state, const double *directions,
                      size_t m, double *ret)
{
    const DirectionRows parts[] = {{directions, x->dim}, {NULL, x->spec.n_parameters}};

    linearised_set_state(x, t, state);
    directions_eval(&x->rates, x->state, parts, 2, m, ret);
}

void linearised_guards(Linearised *x, double t, const double *state, double *ret)
{
    motion_eval_raw_guards(x->equations, t, state, ret);
}

void linearised_set_mode(Linearised *x, size_t k, double mode)
{
    x->state[1 + x->dim + k] = mode;
    motion_eval_set_mode(x->equations, k, mode);
}

Status linearised_project_columns(Linearised *x, double t, double *y, Error *err)
{
    return tangent_space_project(x->space, (TangentState){t, y, y + x->n}, y + x->dim, x->spec.dp,
                                 x->m, err);
}

Status linearised_project(Linearised *x, double t, double *y, Error *err)
{
    const Motion *motion = x->spec.motion;
    double dq, dv;
    Status status = OK;

    if (motion->n_rows)
        status = model_project(x->spec.eval, t, y, y + x->n, motion->rows, motion->n_rows, &dq, &dv,
                               err);
    return status == OK ? linearised_project_columns(x, t, y, err) : status;
}

static Status project_both(void *self, double t, double *y, bool on_step, Error *err)
{
    (void)on_step;
    return linearised_project(self, t, y, err);
}

Status linearised_watch(Linearised *x, size_t quadratures, Watch *ret_watch, Arena *arena,
                        Error *err)
{
    const WatchSpec spec = {.model = x->spec.model,
                            .params = x->spec.params,
                            .motion = x->spec.motion,
                            .equations = x->equations,
                            .rows = linearised_size(x) + quadratures,
                            .beside = true,
                            .norms = x->norms,
                            .n_norms = x->n_norms};
    return watch_init(ret_watch, &spec, arena, err);
}

Status linearised_advance(Linearised *x, const LinearisedDrive *drive, double t0, double t1,
                          double *y, Error *err)
{
    OdeSystem system = {.self = x,
                        .dim = linearised_size(x),
                        .extra = 1,
                        .rates = linearised_rates,
                        .project = x->spec.motion->n_rows ? project_both : NULL,
                        .watch = watch_system(drive->watch)};
    OdeOptions options = {.rtol = drive->rtol,
                          .atol = drive->atol,
                          .max_step = drive->max_step,
                          .max_steps = drive->max_steps};
    OdeObserver observer = {.self = drive->self, .poll = drive->poll};

    if (t0 == t1)
        return OK;
    return ode_reach(&system, ode_method_find("dop853"), &options,
                     &(OdeSpan){.t0 = t0, .t_end = t1}, y, &observer, err);
}
