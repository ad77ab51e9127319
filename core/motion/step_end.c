/* The program of the end of a step: Newton's step onto the constraints, each the shortest in its
 * metric, by the eliminations of the equations of motion with residuals in place of accelerations
 * (E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2006, section IV.4). */
#include "core/motion/step_end.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/expr/calculus/calculus.h"
#include "core/model/rates.h"
#include "core/motion/algebra/eliminate.h"
#include "core/motion/motion.h"

typedef struct Derivation {
    const Model *model;
    StepEnd *end;
    ExprPool *pool;
    Arena arena;
    uint32_t next_symbol;
    /* Residuals, corrections and corrected values are named symbols (see ProgramSpec), so that
     * simplification cannot cancel a residual. */
    Expr *names, *meanings;
    size_t n_names;
    Expr *outputs;
    size_t n_outputs;
    Expr regularity; /* the least of all pivots */
} Derivation;

static Expr give_name(Derivation *d, Expr meaning)
{
    if (expr_is_const(d->pool, meaning, NULL))
        return meaning;
    const Expr name = expr_symbol(d->pool, d->next_symbol++);
    d->names[d->n_names] = name;
    d->meanings[d->n_names++] = meaning;
    return name;
}

/* Returns where they are among the outputs. */
static size_t put(Derivation *d, const Expr *e, size_t n)
{
    const size_t place = d->n_outputs;

    if (n)
        memcpy(d->outputs + place, e, n * sizeof *e);
    d->n_outputs += n;
    return place;
}

/* The saddle-point system with these rows, whose right-hand sides are less the residuals. */
static bool saddle(Derivation *d, const size_t *rows, size_t n_rows, const Expr *residuals,
                   bool mass, KktSystem *ret)
{
    const size_t n = d->model->n;
    Expr *M = ARENA_NEW(&d->arena, n * n, Expr), *b = ARENA_NEW(&d->arena, n, Expr);
    Expr *A = ARENA_NEW(&d->arena, n_rows * n, Expr);

    if (arena_failed(&d->arena))
        return false;
    for (size_t i = 0; i < n * n; i++)
        M[i] = mass ? d->model->M[i] : expr_const(d->pool, i % (n + 1) == 0);
    for (size_t i = 0; i < n; i++)
        b[i] = expr_const(d->pool, 0);
    for (size_t k = 0; k < n_rows; k++)
        memcpy(A + k * n, d->model->A + rows[k] * n, n * sizeof *A);
    *ret = (KktSystem){.n = n, .r = n_rows, .M = M, .b = b, .A = A, .psi = residuals};
    return true;
}

/* By whichever is the smaller system of those that fit. */
static bool solve(Derivation *d, const KktSystem *system, bool definite, KktSolution *ret)
{
    const Elimination by_size[] = {ELIMINATE_NULL_SPACE, ELIMINATE_SCHUR};
    const size_t first = system->n - system->r > system->r;

    for (size_t k = 0; k < 2; k++) {
        const Elimination elimination = by_size[(first + k) % 2];
        if ((elimination == ELIMINATE_NULL_SPACE || definite) &&
            eliminate_solve(d->pool, system, elimination, ret))
            return true;
    }
    return false;
}

/* ret[n]: x corrected by the Newton step of these rows; false: no elimination fits. */
static bool correct(Derivation *d, const Expr *x, const size_t *rows, size_t n_rows,
                    const Expr *equations, bool mass, Expr *ret)
{
    const size_t n = d->model->n;
    Expr *residuals = ARENA_NEW(&d->arena, n_rows, Expr);
    KktSolution step = {.vdot = ret,
                        .lambda = ARENA_NEW(&d->arena, n_rows, Expr),
                        .regularity = ARENA_NEW(&d->arena, n + n_rows, Expr)};
    KktSystem system;

    if (arena_failed(&d->arena))
        return false;
    for (size_t k = 0; k < n_rows; k++)
        residuals[k] = give_name(d, equations[k]);
    if (!saddle(d, rows, n_rows, residuals, mass, &system) ||
        !solve(d, &system, !mass || d->end->options.mass_positive, &step))
        return false;
    /* add the step to x, and keep the worst regularity */
    for (size_t i = 0; i < n; i++)
        ret[i] = expr_is_zero(d->pool, ret[i])
                     ? x[i]
                     : give_name(d, expr_add(d->pool, x[i], give_name(d, ret[i])));
    for (size_t k = 0; k < step.n_regularity; k++)
        d->regularity =
            expr_call(d->pool, EXPR_MIN, (const Expr[]){d->regularity, step.regularity[k]}, 2);
    return true;
}

/* Outputs: energy and residuals before the correction; the state and the look after it. */
static bool put_correction(Derivation *d, const Expr *look)
{
    const Model *m = d->model;
    StepEnd *end = d->end;
    StepEndPlaces *at = &end->places;
    const size_t n = m->n, r = m->r, n_rows = end->options.n_rows;
    const ModelMetric metric = end->options.metric;
    const Expr *residuals = look + LOOK_RESIDUALS;
    Expr *f = ARENA_NEW(&d->arena, n_rows, Expr), *phi = ARENA_NEW(&d->arena, n_rows, Expr);
    Expr *q = ARENA_NEW(&d->arena, n, Expr), *v = ARENA_NEW(&d->arena, n, Expr);

    if (arena_failed(&d->arena))
        return false;
    d->regularity = expr_const(d->pool, 1);
    for (size_t k = 0; k < n_rows; k++) {
        f[k] = m->constraints[end->ordered[k]].f;
        phi[k] = m->constraints[end->ordered[k]].phi;
    }
    if (!correct(d, m->sym.v, end->ordered, n_rows, phi, metric.mass_for_velocities, v) ||
        (end->n_positions &&
         !correct(d, m->sym.q, end->ordered, end->n_positions, f, metric.mass_for_positions, q)))
        return false;
    (void)put(d, look + LOOK_ENERGY, 1);
    at->f = put(d, residuals + RESIDUAL_F * r, r);
    at->phi = put(d, residuals + RESIDUAL_PHI * r, r);
    /* after it: the velocities, the look there, and how regular the elimination was */
    at->v = put(d, v, n);
    at->look = d->n_outputs;
    expr_substitute(d->pool, look, look_size(r), m->sym.v, v, n, d->outputs + at->look);
    d->n_outputs += look_size(r);
    at->regularity = put(d, &d->regularity, 1);
    /* outputs that only some models need */
    at->q = put(d, q, end->n_positions ? n : 0);
    at->matrices = put(d, m->M, end->options.matrices.all ? n * n : 0);
    (void)put(d, m->A, end->options.matrices.all ? r * n : 0);
    at->changing = d->n_outputs;
    for (size_t i = 0; end->options.matrices.changing && i < m->fixed.n_changing; i++)
        for (size_t j = 0; j < m->fixed.n_changing; j++)
            (void)put(d, &m->M[m->fixed.changing[i] * n + m->fixed.changing[j]], 1);
    return true;
}

static Status compile(Derivation *d, const Expr *outputs, size_t n_outputs, Program **ret,
                      Error *err)
{
    const Model *m = d->model;
    Expr *inputs = ARENA_NEW(&d->arena, 1 + 2 * m->n, Expr);
    Status status = expr_pool_status(d->pool, err);

    if (status == OK)
        status = arena_status(&d->arena, err);
    if (status != OK)
        return status;
    /* inputs t, q, v; names are computed from their meanings */
    rates_state(m, inputs);
    const ProgramSpec spec = {.pool = d->pool,
                              .params = m->sym.params,
                              .n_params = m->n_params,
                              .inputs = inputs,
                              .n_inputs = 1 + 2 * m->n,
                              .outputs = outputs,
                              .n_outputs = n_outputs,
                              .names = d->names,
                              .meanings = d->meanings,
                              .n_names = d->n_names};
    return program_compile(&spec, ret, err);
}

/* Too long for a program, or beyond the range of numbers: then there is no unrolled correction. */
static Status compile_correction(Derivation *d, const Expr *look, Error *err)
{
    StepEnd *end = d->end;
    const size_t n_rows = end->options.n_rows;

    if (n_rows == 0 || d->model->n + n_rows > MOTION_UNROLL_MAX || !put_correction(d, look))
        return arena_status(&d->arena, err);
    const Status status = compile(d, d->outputs, d->n_outputs, &end->correct, err);
    return status == ERR_LIMIT || status == ERR_INVALID ? OK : status;
}

static Status derive(StepEnd *end, const Model *model, Error *err)
{
    const size_t n = model->n, r = model->r, n_rows = end->options.n_rows;
    const size_t most = 1 + 2 * r + look_size(r) + 1 + 2 * n + 2 * n * n + r * n;
    Derivation d = {.model = model,
                    .end = end,
                    .pool = expr_pool_clone(model->pool),
                    .next_symbol = model->sym.first_free};
    /* each of two corrections names its residuals, n steps and n corrected values */
    d.names = ARENA_NEW(&d.arena, 2 * n_rows + 4 * n, Expr);
    d.meanings = ARENA_NEW(&d.arena, 2 * n_rows + 4 * n, Expr);
    d.outputs = ARENA_NEW(&d.arena, most, Expr);
    Expr *look = ARENA_NEW(&d.arena, look_size(r), Expr);
    Status status = d.pool ? arena_status(&d.arena, err)
                           : error_set(err, ERR_NO_MEMORY, "out of memory for the end of a step");

    if (status == OK) {
        look[LOOK_ENERGY] = model->energy;
        look[LOOK_TERMS] = expr_terms_size(d.pool, model->energy);
        model_residuals(model, d.pool, look + LOOK_RESIDUALS);
        status = compile(&d, look, look_size(r), &end->look, err);
    }
    if (status == OK)
        status = compile_correction(&d, look, err);
    expr_pool_free(d.pool);
    arena_done(&d.arena);
    return status;
}

/* Holonomic rows come first: the positions are corrected by these alone. */
static void order_rows(StepEnd *end, const Model *model)
{
    size_t count = 0;

    for (int holonomic = 1; holonomic >= 0; holonomic--) {
        for (size_t k = 0; k < end->options.n_rows; k++) {
            const size_t row = end->options.rows[k];
            if ((model->constraints[row].kind == CONSTRAINT_HOLONOMIC) == holonomic)
                end->ordered[count++] = row;
        }
        if (holonomic)
            end->n_positions = count;
    }
}

static Status step_end_init(StepEnd *end, const Model *model, const StepEndOptions *options,
                            Error *err)
{
    const size_t n_rows = options->n_rows;
    size_t *rows = arena_sizes(&end->memory, n_rows);

    end->n = model->n;
    end->r = model->r;
    end->ordered = arena_sizes(&end->memory, n_rows);
    end->options = *options;
    end->options.rows = rows;
    Status status = arena_status(&end->memory, err);
    if (status != OK)
        return status;
    if (n_rows)
        memcpy(rows, options->rows, n_rows * sizeof *rows);
    order_rows(end, model);
    return derive(end, model, err);
}

Status step_end_new(const Model *model, const StepEndOptions *options, StepEnd **ret, Error *err)
{
    StepEnd *end = alloc_array(1, sizeof *end);
    Status status = end ? step_end_init(end, model, options, err)
                        : error_set(err, ERR_NO_MEMORY, "out of memory for the end of a step");

    if (status == OK)
        *ret = end;
    else
        step_end_free(end);
    return status;
}

void step_end_free(StepEnd *end)
{
    if (!end)
        return;
    program_free(end->look);
    program_free(end->correct);
    arena_done(&end->memory);
    free(end);
}
