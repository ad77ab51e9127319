/* Whether the reduced equations close on the base, that is, whether they are those of a Chaplygin
 * system, at random states (docs/explanation/formulations/chaplygin.md). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/motion/chaplygin/chaplygin.h"

enum { PAIRS = 8, ATTEMPTS = 64 };

static const char HINT[] =
    "name in \"base\" the coordinates whose complement a symmetry group moves; the formulation "
    "\"voronec\" needs no symmetry";

/* Whether a function is constant along a fiber. */
typedef enum Fibre { FIBRE_CONSTANT, FIBRE_VARIES, FIBRE_UNKNOWN } Fibre;

typedef struct Closing {
    Draw draw;
    const Reduction *red;
    Diagnostics *diag;
    bool *used; /* model->sym.first_free */
} Closing;

/* Compares two values of a function, each with the size of its terms. If they differ, but by far
 * less than terms of this size round, eliminations have multiplied the size: undecided. In the
 * catalog, differences beyond ACCURACY_SOLVED of the values are beyond that of the terms, too. */
static Fibre compare_values(const double *here, const double *there)
{
    const double difference = fabs(there[0] - here[0]), terms = there[1] + here[1];

    if (difference > ACCURACY_SOLVED * terms)
        return FIBRE_VARIES;
    return difference > ACCURACY_SOLVED * (fabs(there[0]) + fabs(here[0])) &&
                   difference < ACCURACY_CLEAR * DBL_EPSILON * terms
               ? FIBRE_UNKNOWN
               : FIBRE_CONSTANT;
}

/* Constant without the symbol; else pairs of states that differ in it alone decide. */
static Fibre along_fibre(Closing *c, Expr e, size_t nu)
{
    const Reduction *red = c->red;
    const size_t n_symbols = red->model->sym.first_free, y = red->lift.dependent[nu];
    int pairs = 0;

    /* without its symbol the expression is constant along the fiber */
    memset(c->used, 0, n_symbols * sizeof *c->used);
    if (expr_used_symbols(red->pool, &e, 1, c->used, n_symbols, NULL) != OK) {
        arena_fail(red->arena);
        return FIBRE_UNKNOWN;
    }
    if (!c->used[expr_node(red->pool, red->y[nu]).symbol])
        return FIBRE_CONSTANT;
    /* compare pairs of random states that differ in the fiber coordinate alone */
    Expr roots[2] = {e, expr_magnitude(red->pool, e)};
    for (int k = 0; k < ATTEMPTS && pairs < PAIRS; k++) {
        double here[2], there[2];
        draw_anew(&c->draw);
        if (!draw_eval(&c->draw, roots, 2, here))
            continue;
        draw_coordinate(&c->draw, y);
        if (!draw_eval(&c->draw, roots, 2, there))
            continue;
        const Fibre fibre = compare_values(here, there);
        if (fibre != FIBRE_CONSTANT)
            return fibre;
        pairs++;
    }
    return pairs == PAIRS ? FIBRE_CONSTANT : FIBRE_UNKNOWN;
}

/* Reports that `what` depends on the fiber coordinate; false if it does not. */
static bool refuse_fibre(Closing *c, Expr e, size_t nu, const char *what, const char *of)
{
    const Fibre fibre = along_fibre(c, e, nu);
    const char *name = c->red->model->names.coordinates[c->red->lift.dependent[nu]];

    if (fibre == FIBRE_CONSTANT)
        return false;
    diagnostics_add(c->diag, "/formulation", -1, HINT,
                    fibre == FIBRE_VARIES
                        ? "not a Chaplygin system: %s%s depends on the fibre coordinate %s"
                        : "not known to be a Chaplygin system: %s%s is not finite, or too "
                          "sensitive to rounding errors, at random states (fibre coordinate %s)",
                    what, of, name);
    return true;
}

/* Reports the first part of the reduced equations that depends on fiber coordinate nu. */
static void check_fibre(Closing *c, size_t nu)
{
    const Reduction *red = c->red;
    const char *const *names = red->model->names.coordinates;

    if (along_fibre(c, red->L, nu) != FIBRE_CONSTANT) {
        /* the Lagrangian itself, or its dependence through the constraints */
        if (!refuse_fibre(c, red->model->L, nu, "the Lagrangian", ""))
            refuse_fibre(c, red->L, nu, "the Lagrangian on the constraints", "");
        return;
    }
    for (size_t i = 0; i < red->m; i++)
        if (refuse_fibre(c, red->F[i], nu, "the force along the base coordinate ",
                         names[red->lift.base[i]]))
            return;
    for (size_t i = 0; i < red->m; i++)
        if (refuse_fibre(c, red->JK[i], nu,
                         "the constraints' curvature term of the base coordinate ",
                         names[red->lift.base[i]]))
            return;
}

static Status check_closing(const MotionQuestion *question, const Reduction *red, Diagnostics *diag,
                            Error *err)
{
    Closing c = {.red = red, .diag = diag};
    c.used = ARENA_NEW(red->arena, red->model->sym.first_free, bool);
    Status status = draw_init(&c.draw, question, red->pool, red->arena, err);

    for (size_t nu = 0; status == OK && nu < red->r; nu++)
        check_fibre(&c, nu);
    return status == OK ? arena_status(red->arena, err) : status;
}

static Status check_constraints(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    const Model *model = question->model;
    const size_t before = diag->total;

    for (size_t k = 0; k < question->options->n_rows; k++) {
        const Constraint *c = &model->constraints[question->options->rows[k]];
        if (c->kind == CONSTRAINT_NONLINEAR)
            diagnostics_add(diag, "/formulation", -1, NULL,
                            "not a Chaplygin system: the constraint %s is not linear or affine in "
                            "the velocities",
                            c->name);
    }
    return diag->total == before ? OK
                                 : error_set(err, ERR_INVALID, "the constraints are nonlinear");
}

static Status answer_multiplier(const MotionQuestion *question, const Reduction *red,
                                Diagnostics *diag, Error *err)
{
    Multiplier multiplier = MULTIPLIER_NONE;
    const char *reason = NULL;
    Status status = chaplygin_multiplier(question, red, &multiplier, &reason, err);

    if (status == OK && question->answer) {
        question->answer->choice = multiplier;
        if (multiplier == MULTIPLIER_NONE)
            question->answer->note =
                arena_printf(diag->arena, "no Chaplygin multiplier: %s", reason);
    }
    return status;
}

/* Whether the symmetries are as many as the coordinates of the fiber, and move nothing else. */
static bool names_fibre(const Reduction *red)
{
    const Model *model = red->model;

    for (size_t k = 0; k < model->given.n_symmetries; k++)
        for (size_t i = 0; i < red->m; i++)
            if (!expr_is_zero(model->pool,
                              model->given.symmetries[k].components[red->lift.base[i]]))
                return false;
    return red->r > 0 && model->given.n_symmetries == red->r;
}

/* Checks the symmetries. If the equations do not close, reports the condition that fails. */
static Status check_group(const MotionQuestion *question, const Reduction *red, bool closes,
                          Diagnostics *diag, Error *err)
{
    const size_t before = diag->total;

    if (question->model->given.n_symmetries == 0 || (closes && !names_fibre(red)))
        return OK;
    Status status = chaplygin_group(
        question, red,
        closes ? "the equations close on the base without it: leave \"symmetries\" out" : NULL,
        diag, err);
    if (status == OK && diag->total != before)
        status = error_set(err, ERR_INVALID, "the symmetries are no group of this system");
    return status;
}

Status chaplygin_check(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    const size_t before = diag->total;
    Reduction red;
    Status status = check_constraints(question, diag, err);
    if (status != OK)
        return status;

    /* the reduction in a pool of its own */
    Arena arena = {0};
    ExprPool *pool = expr_pool_clone(question->model->pool);
    status =
        pool ? reduction_init(&red, pool, question->model, question->options, false, &arena, err)
             : error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        status = check_closing(question, &red, diag, err);
    const bool closes = diag->total == before;
    if (status == OK)
        status = check_group(question, &red, closes, diag, err);
    if (status == OK)
        status = closes ? answer_multiplier(question, &red, diag, err)
                        : error_set(err, ERR_INVALID, "not a Chaplygin system");
    arena_done(&arena);
    expr_pool_free(pool);
    return status;
}
