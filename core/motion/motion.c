#include "core/motion/motion.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

/* Unknowns beyond which an unrolled elimination fills the graph instead of thinning it. */
enum { UNROLL_MAX = 16 };

Status equations_init(Equations *equations, const Model *model, size_t n_rows, size_t dim,
                      Error *err)
{
    const size_t n = model->n;

    *equations = (Equations){.n = n, .n_rows = n_rows, .dim = dim};
    equations->pool = expr_pool_clone(model->pool);
    equations->state = alloc_array(2 * dim + 4 * n + 2 * n_rows, sizeof(Expr));
    if (!equations->pool || !equations->state)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    equations->rates = equations->state + dim;
    equations->q = equations->rates + dim;
    equations->v = equations->q + n;
    equations->vdot = equations->v + n;
    equations->lambda = equations->vdot + n;
    equations->regularity = equations->lambda + n_rows;
    return OK;
}

void equations_done(Equations *equations)
{
    expr_pool_free(equations->pool);
    free(equations->state);
    *equations = (Equations){0};
}

void motion_free(Motion *motion)
{
    if (!motion)
        return;
    program_free(motion->rates);
    program_free(motion->point);
    program_free(motion->switches);
    free(motion->rows);
    free(motion);
}

/* The equations with their corners frozen, and the input symbols of every program. */
typedef struct Frozen {
    const Model *model;
    Equations eq;
    ExprSwitch *switches;
    size_t n_switches;
    Expr *inputs; /* t, y, modes */
    size_t n_inputs;
} Frozen;

static void frozen_done(Frozen *frozen)
{
    equations_done(&frozen->eq);
    free(frozen->switches);
    free(frozen->inputs);
}

/* The expressions of the equations that are evaluated, in one array: rates, power, q, v, vdot,
 * lambda, regularity. */
static size_t gather(const Equations *eq, Expr *all)
{
    const struct {
        const Expr *from;
        size_t n;
    } parts[] = {{eq->rates, eq->dim},
                 {&eq->power, 1},
                 {eq->q, eq->n},
                 {eq->v, eq->n},
                 {eq->vdot, eq->n},
                 {eq->lambda, eq->n_rows},
                 {eq->regularity, eq->n_regularity}};
    size_t n = 0;

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        memcpy(all + n, parts[i].from, parts[i].n * sizeof *all);
        n += parts[i].n;
    }
    return n;
}

static void scatter(Equations *eq, const Expr *all)
{
    Expr *const to[] = {eq->rates, &eq->power, eq->q, eq->v, eq->vdot, eq->lambda, eq->regularity};
    const size_t n[] = {eq->dim, 1, eq->n, eq->n, eq->n, eq->n_rows, eq->n_regularity};

    for (size_t i = 0; i < sizeof n / sizeof n[0]; i++) {
        memcpy(to[i], all, n[i] * sizeof *all);
        all += n[i];
    }
}

static Status freeze(Frozen *frozen, Error *err)
{
    Equations *eq = &frozen->eq;
    Expr *all = alloc_array(eq->dim + 1 + 3 * eq->n + eq->n_rows + eq->n_regularity, sizeof *all);
    if (!all)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    size_t n = gather(eq, all);
    Status status = expr_freeze_switches(eq->pool, all, n, frozen->model->first_free, all,
                                         &frozen->switches, &frozen->n_switches, err);
    if (status == OK)
        scatter(eq, all);
    free(all);
    if (status != OK)
        return status;

    frozen->n_inputs = 1 + eq->dim + frozen->n_switches;
    frozen->inputs = alloc_array(frozen->n_inputs, sizeof *frozen->inputs);
    if (!frozen->inputs)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    frozen->inputs[0] = frozen->model->t;
    memcpy(frozen->inputs + 1, eq->state, eq->dim * sizeof *frozen->inputs);
    for (size_t k = 0; k < frozen->n_switches; k++)
        frozen->inputs[1 + eq->dim + k] = frozen->switches[k].mode;
    return expr_pool_status(eq->pool, err);
}

static Status frozen_init(Frozen *frozen, const Model *model, const Formulation *formulation,
                          const MotionOptions *options, Error *err)
{
    *frozen = (Frozen){.model = model};
    Status status = formulation->derive(model, options, &frozen->eq, err);
    if (status == OK)
        status = freeze(frozen, err);
    return status;
}

static Status compile(const Frozen *frozen, const Expr *outputs, size_t n, Program **ret,
                      Error *err)
{
    const Model *model = frozen->model;
    ProgramSpec spec = {.pool = frozen->eq.pool,
                        .params = model->params,
                        .n_params = model->n_params,
                        .inputs = frozen->inputs,
                        .n_inputs = frozen->n_inputs,
                        .outputs = outputs,
                        .n_outputs = n};
    return program_compile(&spec, ret, err);
}

/* Guards and their rates along the motion, for the decision which way a switch goes. */
static Status compile_switches(Frozen *frozen, Program **ret, Error *err)
{
    Equations *eq = &frozen->eq;
    const size_t k = frozen->n_switches, dim = eq->dim;
    Expr *out = alloc_array(2 * k + 2 * (1 + dim), sizeof *out);
    if (!out)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    Expr *symbols = out + 2 * k, *rates = symbols + 1 + dim;
    memcpy(symbols, frozen->inputs, (1 + dim) * sizeof *symbols);
    rates[0] = expr_const(eq->pool, 1);
    memcpy(rates + 1, eq->rates, dim * sizeof *rates);
    for (size_t i = 0; i < k; i++)
        out[i] = frozen->switches[i].guard;
    expr_directional(eq->pool, out, k, symbols, rates, 1 + dim, out + k);
    Status status = expr_pool_status(eq->pool, err);
    if (status == OK)
        status = compile(frozen, out, 2 * k, ret, err);
    free(out);
    return status;
}

static Status compile_all(Frozen *frozen, Motion *motion, Error *err)
{
    Equations *eq = &frozen->eq;
    Expr *all = alloc_array(eq->dim + 1 + 3 * eq->n + eq->n_rows + eq->n_regularity, sizeof *all);
    if (!all)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    size_t n = gather(eq, all);
    Status status = compile(frozen, all, eq->dim + 1, &motion->rates, err);
    if (status == OK)
        status = compile(frozen, all + eq->dim + 1, n - eq->dim - 1, &motion->point, err);
    if (status == OK && frozen->n_switches)
        status = compile_switches(frozen, &motion->switches, err);
    free(all);
    return status;
}

Status motion_new(const Model *model, const Formulation *formulation, const MotionOptions *options,
                  Motion **ret_motion, Error *err)
{
    Frozen frozen = {0};
    Motion *motion = alloc_array(1, sizeof *motion);
    Status status = motion ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");

    if (status == OK)
        status = frozen_init(&frozen, model, formulation, options, err);
    if (status == OK) {
        *motion = (Motion){.formulation = formulation,
                           .elimination = options->elimination,
                           .n = model->n,
                           .dim = frozen.eq.dim,
                           .n_rows = options->n_rows,
                           .n_switches = frozen.n_switches,
                           .n_regularity = frozen.eq.n_regularity};
        motion->rows = alloc_array(options->n_rows, sizeof *motion->rows);
        if (!motion->rows)
            status = error_set(err, ERR_NO_MEMORY, "out of memory");
        else if (options->n_rows)
            memcpy(motion->rows, options->rows, options->n_rows * sizeof *motion->rows);
    }
    if (status == OK)
        status = compile_all(&frozen, motion, err);
    frozen_done(&frozen);
    if (status != OK) {
        motion_free(motion);
        return status;
    }
    *ret_motion = motion;
    return OK;
}

Status motion_best(const Model *model, const Formulation *formulation, const size_t *rows,
                   size_t n_rows, MotionClass kind, Motion **ret_motion, Error *err)
{
    /* pivoting at run time is the last resort: it costs several times an unrolled elimination */
    static const struct {
        Elimination elimination;
        MotionClass weakest;
    } CANDIDATES[] = {
        {ELIMINATE_NULL_SPACE_EXPANDED, MOTION_POSITIVE_ON_CONSTRAINTS},
        {ELIMINATE_NULL_SPACE, MOTION_POSITIVE_ON_CONSTRAINTS},
        {ELIMINATE_SCHUR, MOTION_POSITIVE},
    };
    Motion *best = NULL;

    for (size_t i = 0; i < sizeof CANDIDATES / sizeof CANDIDATES[0]; i++) {
        if (model->n + n_rows > UNROLL_MAX || kind > CANDIDATES[i].weakest)
            continue;
        MotionOptions options = {
            .rows = rows, .n_rows = n_rows, .elimination = CANDIDATES[i].elimination};
        Motion *motion = NULL;
        Status status = motion_new(model, formulation, &options, &motion, err);
        if (status != OK && status != ERR_NOT_FOUND && status != ERR_LIMIT) {
            motion_free(best);
            return status;
        }
        if (status == OK &&
            (!best || program_length(motion->rates) < program_length(best->rates))) {
            motion_free(best);
            best = motion;
        } else if (status == OK) {
            motion_free(motion);
        }
    }
    if (best) {
        *ret_motion = best;
        return OK;
    }
    MotionOptions options = {.rows = rows, .n_rows = n_rows, .elimination = ELIMINATE_PIVOTED};
    return motion_new(model, formulation, &options, ret_motion, err);
}

Status motion_jacobian(const Model *model, const Motion *motion, Program **ret_program, Error *err)
{
    Frozen frozen = {0};
    MotionOptions options = {
        .rows = motion->rows, .n_rows = motion->n_rows, .elimination = motion->elimination};
    Expr *out = NULL;
    Status status = frozen_init(&frozen, model, motion->formulation, &options, err);
    if (status != OK)
        goto out;

    Equations *eq = &frozen.eq;
    const size_t dim = eq->dim;
    out = alloc_array(dim * dim + dim, sizeof *out);
    if (!out) {
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
        goto out;
    }
    for (size_t i = 0; i < dim; i++) {
        expr_gradient(eq->pool, eq->rates[i], eq->state, dim, out + i * dim);
        out[dim * dim + i] = expr_diff(eq->pool, eq->rates[i], model->t);
    }
    status = expr_pool_status(eq->pool, err);
    if (status == OK)
        status = compile(&frozen, out, dim * dim + dim, ret_program, err);
out:
    free(out);
    frozen_done(&frozen);
    return status;
}
