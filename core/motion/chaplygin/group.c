/* The conditions on a group for a Chaplygin reduction
 * (docs/explanation/formulations/chaplygin.md). */
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/motion/chaplygin/chaplygin.h"
#include "core/numeric/dense.h"
#include "core/numeric/vectors.h"

enum { STATES = 8, ATTEMPTS = 64 };

typedef struct Group {
    Draw draw;
    const MotionQuestion *question;
    const Reduction *red;
    Diagnostics *diag;
    const char *hint;
    const ModelField *fields; /* k of them */
    size_t k, n;
    Expr *symbols, *rates; /* 2 n: q, v and their rates under a generator's flow */
    bool unseen;           /* nothing was finite at random states: no verdict */
} Group;

/* "the symmetry NAME", then the three texts. */
static void refuse_symmetry(Group *g, size_t a, const char *what, const char *name,
                            const char *more)
{
    const char *pointer = arena_printf(g->diag->arena, "/model/symmetries/%zu", a);

    if (pointer)
        diagnostics_add(g->diag, pointer, -1, g->hint, "the symmetry %s %s%s%s", g->fields[a].name,
                        what, name, more);
}

/* Whether e vanishes at random states that satisfy the constraints. States at which it is not
 * finite do not count; if all are such, `unseen` is set. */
static bool group_vanishes(Group *g, Expr e)
{
    Expr roots[2] = {e, EXPR_NONE};
    double values[2];
    int states = 0;

    /* e on the constraints, and the size of its terms */
    reduction_lift(g->red, roots, 1, roots);
    roots[1] = expr_magnitude(g->red->pool, roots[0]);
    if (expr_is_zero(g->red->pool, roots[0]))
        return true;
    for (int k = 0; k < ATTEMPTS && states < STATES; k++) {
        draw_anew(&g->draw);
        if (!draw_eval(&g->draw, roots, 2, values))
            continue;
        if (fabs(values[0]) > ACCURACY_SOLVED * values[1])
            return false;
        states++;
    }
    g->unseen = g->unseen || states == 0;
    return true;
}

/* The tangent lift of generator a: q' = xi, v' = xi_q v. */
static void lift_generator(Group *g, size_t a)
{
    const Model *model = g->red->model;

    memcpy(g->symbols, model->sym.q, g->n * sizeof *g->symbols);
    memcpy(g->symbols + g->n, model->sym.v, g->n * sizeof *g->symbols);
    memcpy(g->rates, g->fields[a].components, g->n * sizeof *g->rates);
    expr_directional(g->red->pool, g->fields[a].components, g->n, model->sym.q, model->sym.v, g->n,
                     g->rates + g->n);
}

static Expr along_generator(Group *g, Expr e)
{
    Expr rate;
    expr_directional(g->red->pool, &e, 1, g->symbols, g->rates, 2 * g->n, &rate);
    return rate;
}

/* (Lie derivative of F)_i = xi(F_i) + F_j d xi^j/dq^i. */
static bool force_invariant(Group *g, size_t a)
{
    const Model *model = g->red->model;
    ExprPool *pool = g->red->pool;

    for (size_t i = 0; i < g->n; i++) {
        Expr sum = along_generator(g, model->F[i]);
        for (size_t j = 0; j < g->n; j++) {
            Expr slope = expr_diff(pool, g->fields[a].components[j], model->sym.q[i]);
            sum = expr_add(pool, sum, expr_mul(pool, model->F[j], slope));
        }
        if (!group_vanishes(g, sum))
            return false;
    }
    return true;
}

static void check_generator(Group *g, size_t a)
{
    const Model *model = g->red->model;
    const MotionOptions *options = g->question->options;

    for (size_t i = 0; i < g->red->m; i++) {
        const size_t base = g->red->lift.base[i];
        if (!group_vanishes(g, g->fields[a].components[base])) {
            refuse_symmetry(g, a, "moves the base coordinate ", model->names.coordinates[base], "");
            return;
        }
    }
    /* L, the constraints and the forces must be invariant */
    lift_generator(g, a);
    if (!group_vanishes(g, along_generator(g, model->L)))
        refuse_symmetry(g, a, "does not leave the Lagrangian invariant", "", "");
    for (size_t k = 0; k < options->n_rows; k++)
        if (!group_vanishes(g, along_generator(g, model->constraints[options->rows[k]].phi)))
            refuse_symmetry(g, a, "does not leave the constraint ",
                            model->constraints[options->rows[k]].name, " invariant");
    if (!force_invariant(g, a))
        refuse_symmetry(g, a, "does not leave the forces invariant", "", "");
}

/* Roots n x (k + 2): the generators, the bracket and the size of its terms. */
static void bracket_roots(Group *g, size_t a, size_t b, Expr *roots, Expr *scratch)
{
    const size_t n = g->n, k = g->k;
    const Expr *q = g->red->model->sym.q, *xi = g->fields[a].components,
               *eta = g->fields[b].components;
    ExprPool *pool = g->red->pool;

    /* [xi, eta] = D eta xi - D xi eta */
    expr_directional(pool, eta, n, q, xi, n, scratch);
    expr_directional(pool, xi, n, q, eta, n, scratch + n);
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < k; c++)
            roots[i * k + c] = g->fields[c].components[i];
        roots[n * k + i] = expr_sub(pool, scratch[i], scratch[n + i]);
        roots[n * (k + 1) + i] = expr_magnitude(pool, roots[n * k + i]);
    }
}

/* The generators and one bracket at several states. A row is a component at a state, in units of
 * the size of its coordinate. Generators are scaled so that their largest component is 1. */
typedef struct Fields {
    size_t n_rows;
    double *generators;     /* n_rows x k */
    double *bracket, *size; /* n_rows: of its terms */
    double *unit;           /* k: the size of each generator, 1 for one that vanishes */
} Fields;

static void fields_add(const Group *g, const double *values, Fields *f)
{
    const size_t n = g->n, k = g->k;

    for (size_t i = 0; i < n; i++, f->n_rows++) {
        for (size_t c = 0; c < k; c++)
            f->generators[f->n_rows * k + c] = values[i * k + c] / g->draw.size[i];
        f->bracket[f->n_rows] = values[n * k + i] / g->draw.size[i];
        f->size[f->n_rows] = values[n * (k + 1) + i] / g->draw.size[i];
    }
}

static void fields_in_units(Fields *f, size_t k)
{
    for (size_t c = 0; c < k; c++) {
        double largest = 0;
        for (size_t i = 0; i < f->n_rows; i++)
            largest = fmax(largest, fabs(f->generators[i * k + c]));
        f->unit[c] = largest > 0 ? largest : 1;
        for (size_t i = 0; i < f->n_rows; i++)
            f->generators[i * k + c] /= f->unit[c];
    }
}

/* Whether the bracket is this combination. Constants have the rounding error of the largest. */
static bool combines(const Fields *f, size_t k, const double *constants)
{
    const double largest = vector_largest(constants, k);

    for (size_t i = 0; i < f->n_rows; i++) {
        double rest = f->bracket[i], size = f->size[i];
        for (size_t c = 0; c < k; c++) {
            rest -= f->generators[i * k + c] * constants[c];
            size += fabs(f->generators[i * k + c]) * largest;
        }
        if (fabs(rest) > ACCURACY_SOLVED * size)
            return false;
    }
    return true;
}

/* The generators and [xi_a, xi_b] at up to STATES states at which they are finite. */
static Status sample_fields(Group *g, size_t a, size_t b, Fields *f, Error *err)
{
    const size_t k = g->k, n = g->n;
    Expr *roots = ARENA_NEW(g->red->arena, n * (k + 4), Expr);
    double *values = arena_doubles(g->red->arena, n * (k + 2));

    *f = (Fields){.generators = arena_doubles(g->red->arena, STATES * n * k),
                  .bracket = arena_doubles(g->red->arena, STATES * n),
                  .size = arena_doubles(g->red->arena, STATES * n),
                  .unit = arena_doubles(g->red->arena, k)};
    const Status status = arena_status(g->red->arena, err);
    if (status != OK)
        return status;
    bracket_roots(g, a, b, roots, roots + n * (k + 2));
    /* draws at which a root is not finite are left out */
    for (int tries = 0; tries < ATTEMPTS && f->n_rows < STATES * n; tries++) {
        draw_anew(&g->draw);
        if (draw_eval(&g->draw, roots, n * (k + 2), values))
            fields_add(g, values, f);
    }
    g->unseen = g->unseen || f->n_rows == 0;
    fields_in_units(f, k);
    return OK;
}

/* Rounds constants: to whole numbers, or to zero if negligible beside the largest. */
static void tidy_constants(double *constants, const double *unit, size_t k)
{
    const double largest = vector_largest(constants, k);

    for (size_t c = 0; c < k; c++) {
        const double constant = constants[c] / unit[c], whole = nearbyint(constant);
        if (fabs(constants[c]) <= ACCURACY_SOLVED * largest)
            constants[c] = 0;
        else
            constants[c] =
                fabs(constant - whole) <= ACCURACY_SOLVED * fabs(whole) ? whole : constant;
    }
}

/* Structure constants ret[k], from all states together, because more generators than coordinates
 * are dependent at a single one. */
static Status find_bracket(Group *g, size_t a, size_t b, double *ret, bool *ret_closed, Error *err)
{
    const size_t k = g->k;
    const ArenaMark mark = arena_mark(g->red->arena);
    Fields f;
    Status status = sample_fields(g, a, b, &f, err);

    if (status == OK)
        status = dense_least_norm(f.generators, f.n_rows, k, f.bracket, 1e-10, ret, err);
    if (status == OK) {
        *ret_closed = combines(&f, k, ret);
        tidy_constants(ret, f.unit, k);
    }
    arena_release(g->red->arena, mark);
    return status;
}

static Status check_algebra(Group *g, Error *err)
{
    double *constants = arena_doubles(g->red->arena, g->k);
    Status status = arena_status(g->red->arena, err);

    for (size_t a = 0; a < g->k && status == OK; a++)
        for (size_t b = 0; b < a && status == OK; b++) {
            bool closed;
            status = find_bracket(g, a, b, constants, &closed, err);
            if (status == OK && !closed)
                refuse_symmetry(g, a, "makes no group with ", g->fields[b].name,
                                ": their bracket is no combination of the generators with constant "
                                "coefficients");
        }
    return status;
}

static Status group_init(Group *g, const MotionQuestion *question, const Reduction *red, Error *err)
{
    const Model *model = question->model;

    *g = (Group){.question = question,
                 .red = red,
                 .fields = model->given.symmetries,
                 .k = model->given.n_symmetries,
                 .n = model->n,
                 .symbols = ARENA_NEW(red->arena, 2 * model->n, Expr),
                 .rates = ARENA_NEW(red->arena, 2 * model->n, Expr)};
    return draw_init(&g->draw, question, red->pool, red->arena, err);
}

Status chaplygin_group(const MotionQuestion *question, const Reduction *red, const char *hint,
                       Diagnostics *diag, Error *err)
{
    Group g;
    Status status = group_init(&g, question, red, err);
    if (status != OK)
        return status;

    g.diag = diag;
    g.hint = hint;
    /* enough generators, each a symmetry, and together closed under brackets */
    if (g.k != red->r)
        diagnostics_add(diag, "/model/symmetries", -1, hint,
                        "%zu symmetries for fibres of dimension %zu", g.k, red->r);
    for (size_t a = 0; a < g.k; a++)
        check_generator(&g, a);
    status = check_algebra(&g, err);
    if (status == OK && g.unseen)
        diagnostics_add(
            diag, "/model/symmetries", -1, hint,
            "the generators, or the derivatives of the model along them, are not finite at random "
            "states near the initial one: no group can be found there");
    return status;
}

Status chaplygin_structure_constants(const MotionQuestion *question, const Reduction *red,
                                     double *ret_constants, bool *ret_closed, Error *err)
{
    Group g;
    Status status = group_init(&g, question, red, err);
    const size_t k = g.k;

    *ret_closed = true;
    for (size_t a = 0; a < k && status == OK && *ret_closed; a++)
        for (size_t b = 0; b < k && status == OK && *ret_closed; b++) {
            double *constants = ret_constants + (a * k + b) * k;
            status = find_bracket(&g, a, b, constants, ret_closed, err);
            *ret_closed = *ret_closed && !g.unseen;
        }
    return status;
}
