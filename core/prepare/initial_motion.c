/* The start of a motion: its equations, its state in the formulation's own variables, and a check
 * that both reproduce the initial state and satisfy M vdot + l = F + A^T lambda. */
#include "core/prepare/initial_motion.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/model/kinds.h"
#include "core/motion/choice.h"
#include "core/prepare/initial.h"

/* Regularity that depends on the multipliers is checked on the equations themselves. In all
 * other cases the initial state and the formulation have been checked before. */
static Status initial_motion_check_regularity(const Simulation *s, Diagnostics *diag, Error *err)
{
    MotionEval *equations = NULL;
    double *y = arena_doubles(s->arena, s->motion->dim + 1);
    Status status = arena_status(s->arena, err);

    if (status == OK)
        status = motion_eval_new(s->compiled->model, s->motion, s->params, false, &equations, err);
    if (status == OK)
        status = initial_motion_state(s, equations, y, err);
    /* at a corner the modes are those of the side to which the motion goes */
    if (status == OK && s->motion->n_switches)
        motion_eval_start_switches(equations, sample_times_backwards(&s->times), s->times.t0, y);
    if (status == OK) {
        const double regularity = motion_eval_point(equations, s->times.t0, y).regularity;
        if (!(regularity >= ACCURACY_SUMMED)) {
            diagnostics_add(diag, "/initial/mu", -1, "start with other multipliers",
                            "with these multipliers the equations of the formulation %s are "
                            "singular at the initial state (reciprocal condition %.3g)",
                            s->compiled->formulation->name, regularity);
            status = error_set(err, ERR_INVALID, "the initial state is singular");
        }
    }
    motion_eval_free(equations);
    return status;
}

/* A guess of the motion's state, if zeros are not good enough. */
static Status initial_motion_locate(Simulation *s, const MotionQuestion *question,
                                    Diagnostics *diag, Error *err)
{
    s->start.guess = arena_alloc(s->arena, s->motion->dim, sizeof *s->start.guess);
    if (!s->start.guess)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    return s->compiled->formulation->locate(question, s->start.guess, diag, err);
}

/* Takes the equations of the previous start if they are the same. */
static Status choose_motion(Simulation *s, const MotionOptions *options, Error *err)
{
    const MotionClass kind = motion_class_of(&s->start.report);
    Status status = OK;

    if (!s->chosen.motion ||
        !compiled_motion_fits(s->chosen.motion, s->chosen.class, options, kind))
        status = compiled_motion(s->compiled, options, kind, &s->chosen.motion, err);
    if (status != OK)
        return status;
    s->chosen.class = kind;
    s->motion = s->chosen.motion;
    return OK;
}

/* Whether the formulation depends on nothing but the class of M and the rows in use, and both
 * are those of the previous start. */
static bool starts_as_before(const Simulation *s, const JobSpec *spec, MotionOptions options)
{
    const Formulation *f = s->compiled->formulation;

    if (!s->chosen.motion || f->uses_dependent || f->check || f->locate || f->keeps_multipliers ||
        spec->initial.mu_given || spec->initial.mu_momentum)
        return false;
    options.dependent = s->chosen.motion->dependent;
    return compiled_motion_fits(s->chosen.motion, s->chosen.class, &options,
                                motion_class_of(&s->start.report));
}

Status initial_motion_choose(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    MotionOptions options = {.rows = s->start.rows, .n_rows = s->start.report.rank};
    if (starts_as_before(s, spec, options)) {
        s->motion = s->chosen.motion;
        s->start.dependent = s->chosen.motion->dependent;
        return OK;
    }
    MotionQuestion question = simulation_question(s, s->times.t0, s->start.q, s->start.v, &options);
    question.chart = s->start.chart;

    Status status = motion_choose_options(s->compiled->formulation, &question,
                                          spec->initial.mu_momentum, s->arena, &options, diag, err);
    if (status == OK) {
        s->start.dependent = options.dependent;
        s->start.note = options.note;
        status = initial_multipliers_read(s, spec, diag, err);
    }
    /* derive the equations; check those that depend on the multipliers */
    if (status == OK)
        status = choose_motion(s, &options, err);
    if (status == OK && s->compiled->formulation->locate)
        status = initial_motion_locate(s, &question, diag, err);
    if (status == OK && s->compiled->formulation->keeps_multipliers)
        status = initial_motion_check_regularity(s, diag, err);
    return status;
}

Status initial_motion_state(const Simulation *s, MotionEval *equations, double *y, Error *err)
{
    const size_t n = s->compiled->model->n, dim = s->motion->dim;

    memset(y, 0, (dim + 1) * sizeof *y);
    if (s->motion->plain) {
        memcpy(y, s->start.q, n * sizeof *y);
        memcpy(y + n, s->start.v, n * sizeof *y);
        return OK;
    }
    if (s->start.guess)
        memcpy(y, s->start.guess, dim * sizeof *y);
    return motion_eval_restate(equations, s->times.t0, s->start.q, s->start.v, s->start.multipliers,
                               y, err);
}

/* M vdot + l - F - A^T lambda of a coordinate. *ret_terms: the sum of the absolute values of its
 * terms. */
static double balance_of(const Simulation *s, const ModelPoint *at, const MotionPoint *point,
                         size_t i, double *ret_terms)
{
    const size_t n = s->compiled->model->n;
    double sum = at->l[i] - at->F[i], terms = fabs(at->l[i]) + fabs(at->F[i]);

    for (size_t j = 0; j < n; j++) {
        const double term = at->M[i * n + j] * point->vdot[j];
        sum += term;
        terms += fabs(term);
    }
    for (size_t k = 0; k < s->motion->n_rows; k++) {
        const double term = at->A[s->start.rows[k] * n + i] * point->lambda[k];
        sum -= term;
        terms += fabs(term);
    }
    *ret_terms = terms;
    return sum;
}

/* The difference between the initial state and that reproduced by the equations: ret_misses[3 n]
 * of q, of v, and of the balance. ret_terms[n] as in balance_of(). */
static void find_misses(const Simulation *s, const ModelPoint *at, const MotionPoint *point,
                        double *ret_misses, double *ret_terms)
{
    const size_t n = s->compiled->model->n;

    for (size_t i = 0; i < n; i++) {
        ret_misses[i] = point->q[i] - s->start.q[i];
        ret_misses[n + i] = point->v[i] - s->start.v[i];
        ret_misses[2 * n + i] = balance_of(s, at, point, i, &ret_terms[i]);
    }
}

/* The effect of random rounding errors on the misses; ret[3 n]. */
static void find_noise(const Simulation *s, const ModelPoint *at, MotionEval *equations,
                       const double *y, const double *misses, double *scratch, double *ret)
{
    enum { SHAKES = 3 };
    const size_t n = s->compiled->model->n;
    Random random;

    random_init(&random, 1);
    Shakes shakes = {.by = DBL_EPSILON, .random = &random};
    for (int k = 0; k < SHAKES; k++) {
        const MotionPoint point = motion_eval_point_shaken(equations, s->times.t0, y, &shakes);
        find_misses(s, at, &point, scratch, scratch + 3 * n);
        for (size_t i = 0; i < 3 * n; i++)
            ret[i] = fmax(ret[i], SHAKE_MARGIN * fabs(scratch[i] - misses[i]));
    }
}

/* The miss beyond rounding, relative to a size. */
static double beyond(double miss, double noise, double size)
{
    const double rest = fabs(miss) - noise;
    return rest <= 0 ? 0 : rest / size;
}

/* The first coordinate whose state or equation is missed, or n. ret_off[3]: the misses. */
static size_t find_missed(size_t n, const double *misses, const double *noise, const double *sizes,
                          bool balances, double *ret_off)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t part = 0; part < 3; part++) {
            const size_t k = part * n + i;
            ret_off[part] = part < 2 || balances ? beyond(misses[k], noise[k], sizes[k]) : 0;
        }
        /* losses by a change of variables and a solve */
        if (!(ret_off[0] <= ACCURACY_HALF && ret_off[1] <= ACCURACY_HALF &&
              ret_off[2] <= ACCURACY_CLEAR))
            return i;
    }
    return n;
}

/* Whether the state comes back bit by bit and the equations balance. Then no sizes need to be
 * measured. */
static bool gives_back(const Simulation *s, const ModelPoint *at, const MotionPoint *point,
                       bool balances)
{
    const size_t n = s->compiled->model->n;
    bool same = true;

    for (size_t i = 0; i < n && same; i++) {
        double terms;
        const double rest = balances ? balance_of(s, at, point, i, &terms) : 0;
        same = point->q[i] == s->start.q[i] && point->v[i] == s->start.v[i] &&
               (!balances || beyond(rest, 0, terms) <= ACCURACY_CLEAR);
    }
    return same;
}

Status initial_motion_check(const Simulation *s, MotionEval *equations, const double *y, Error *err)
{
    const Model *model = s->compiled->model;
    const size_t n = model->n;
    const MotionPoint point = motion_eval_point(equations, s->times.t0, y);
    const ModelPoint at = model_point(s->eval, s->times.t0, s->start.q, s->start.v);
    double *misses, *noise, *sizes, *scratch;
    const ArenaPiece pieces[] = {
        {&misses, 3 * n}, {&noise, 3 * n}, {&sizes, 3 * n}, {&scratch, 4 * n}};
    double off[3];
    /* formulations that keep their multipliers have another reaction, and at a corner the
     * equations take the side to which the motion goes */
    const bool balances =
        !s->compiled->formulation->keeps_multipliers && s->motion->n_switches == 0;

    /* a singular start is reported elsewhere, with its reason */
    if (!(point.regularity >= ACCURACY_SUMMED) || gives_back(s, &at, &point, balances))
        return OK;
    const ArenaMark mark = arena_mark(s->arena);
    arena_pieces(s->arena, pieces, sizeof pieces / sizeof *pieces);
    Status status = arena_status(s->arena, err);
    if (status == OK) {
        find_misses(s, &at, &point, misses, sizes + 2 * n);
        kinds_sizes(model, s->start.q, s->start.v, s->times.end - s->times.t0, sizes, sizes + n);
        size_t missed = find_missed(n, misses, noise, sizes, balances, off);
        if (missed < n) {
            find_noise(s, &at, equations, y, misses, scratch, noise);
            missed = find_missed(n, misses, noise, sizes, balances, off);
        }
        if (missed < n && !isfinite(off[0] + off[1] + off[2]))
            status = error_set(err, ERR_NUMERIC,
                               "the equations of the formulation %s are not finite at the initial "
                               "state: squares and products of its numbers (%s = %.3g) leave the "
                               "range of numbers, about 1e-308 to 1e308. Choose units in which "
                               "they are nearer to 1",
                               s->compiled->formulation->name, model->names.coordinates[missed],
                               s->start.q[missed]);
        else if (missed < n)
            status = error_set(err, ERR_NUMERIC,
                               "the equations of the formulation %s do not reproduce the initial "
                               "state: %s is off by %.3g, its velocity by %.3g and its equation "
                               "of motion by %.3g (relative)",
                               s->compiled->formulation->name, model->names.coordinates[missed],
                               off[0], off[1], off[2]);
    }
    arena_release(s->arena, mark);
    return status;
}
