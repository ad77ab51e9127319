/* The first-order system of a formulation as a C function for other programs. */
#include <stdlib.h>
#include <string.h>

#include "core/simulate/printing.h"

/* The outputs of the function, one after the other: rates, q, v, multipliers, own columns. */
typedef struct Outputs {
    Expr *all;
    size_t n;
    Expr *parts; /* common subexpressions: the symbols from first_part on */
    size_t n_parts;
    uint32_t first_part;
} Outputs;

static Status first_order_derive(const Printing *p, const Formulation *formulation,
                                 const MotionOptions *options, Equations *eq)
{
    MotionOptions own = *options;
    Status status = ERR_NOT_FOUND;

    if (own.elimination != ELIMINATE_PIVOTED && p->model->n + own.n_rows <= MOTION_UNROLL_MAX)
        status = formulation->derive(p->model, &own, eq, p->err);
    if (status == ERR_NOT_FOUND || status == ERR_LIMIT) {
        equations_done(eq);
        own.elimination = ELIMINATE_PIVOTED;
        status = formulation->derive(p->model, &own, eq, p->err);
    }
    return status;
}

static Status first_order_share(const Printing *p, Equations *eq, Outputs *o)
{
    const struct {
        const Expr *exprs;
        size_t n;
    } groups[] = {{eq->rates, eq->dim},
                  {eq->q, eq->n},
                  {eq->v, eq->n},
                  {eq->lambda, eq->n_rows},
                  {eq->own, eq->n_own}};
    const size_t n_groups = sizeof groups / sizeof groups[0];

    for (size_t i = 0; i < n_groups; i++)
        o->n += groups[i].n;
    o->all = ARENA_NEW(p->arena, o->n, Expr);
    if (!o->all)
        return error_set(p->err, ERR_NO_MEMORY, "out of memory");
    /* one array of all outputs: they share their parts with each other */
    o->n = 0;
    for (size_t i = 0; i < n_groups; i++) {
        if (groups[i].n)
            memcpy(o->all + o->n, groups[i].exprs, groups[i].n * sizeof *o->all);
        o->n += groups[i].n;
    }
    o->first_part = eq->next_symbol;
    return expr_share(eq->pool, o->all, o->n, o->first_part, o->all, &o->parts, &o->n_parts,
                      p->err);
}

static void set_name(Arena *arena, const ExprPool *pool, const char **names, Expr symbol,
                     const char *array, size_t k)
{
    names[expr_node(pool, symbol).symbol] = arena_printf(arena, "%s[%zu]", array, k);
}

/* The function's arguments and variables by symbol; in the arena, NULL when it is full. */
static const char **name_symbols(const Printing *p, const Equations *eq, const Outputs *o)
{
    const Model *m = p->model;
    const char **names = arena_alloc(p->arena, o->first_part + o->n_parts, sizeof *names);

    if (!names)
        return NULL;
    names[expr_node(eq->pool, m->sym.t).symbol] = "t";
    for (size_t k = 0; k < m->n_params; k++)
        set_name(p->arena, eq->pool, names, m->sym.params[k], "p", k);
    for (size_t k = 0; k < eq->n_implicit; k++)
        set_name(p->arena, eq->pool, names, eq->guess[k], "g", k);
    for (size_t k = 0; k < eq->dim; k++)
        set_name(p->arena, eq->pool, names, eq->state[k], "y", k);
    for (size_t k = 0; k < o->n_parts; k++)
        names[o->first_part + k] = printing_part_name(p, k);
    return names;
}

/* If constraints are redundant, a run reports more multipliers than the function computes. */
static void write_multipliers(Printing *p, const MotionOptions *options)
{
    const Model *m = p->model;
    const bool redundant = options->n_rows < m->r;

    text_printf(&p->whole, "\n * multipliers lambda%s:",
                redundant ? " of the independent constraints kept" : "");
    for (size_t k = 0; k < options->n_rows; k++)
        text_printf(&p->whole, "%s [%zu] %s", k ? "," : "", k,
                    m->constraints[options->rows[k]].name);
    if (redundant)
        text_puts(&p->whole,
                  "\n *   (a run distributes their reaction over all constraints, by the "
                  "multipliers of least length)");
}

static void write_head(Printing *p, const Equations *eq, const MotionOptions *options,
                       const char *title)
{
    const Model *m = p->model;

    text_printf(&p->whole, "/* %s: dy/dt of the state y[%zu], and what it means.\n * state:", title,
                eq->dim);
    for (size_t k = 0; k < eq->dim; k++) {
        const char *name = equations_state_name(eq, m, options, k, p->arena);
        text_printf(&p->whole, "%s y[%zu]%s%s", k ? "," : "", k, name ? " " : "", name ? name : "");
    }
    text_puts(&p->whole, "\n * parameters:");
    for (size_t k = 0; k < m->n_params; k++)
        text_printf(&p->whole, "%s p[%zu] %s", k ? "," : "", k, m->names.params[k]);
    text_puts(&p->whole, "\n * coordinates q, velocities v:");
    for (size_t k = 0; k < m->n; k++)
        text_printf(&p->whole, "%s [%zu] %s", k ? "," : "", k, m->names.coordinates[k]);
    write_multipliers(p, options);
    text_puts(&p->whole, "\n * columns own:");
    for (size_t k = 0; k < eq->n_own; k++)
        text_printf(&p->whole, "%s [%zu] %s", k ? "," : "", k, eq->own_names[k]);
    if (eq->n_implicit)
        text_printf(&p->whole, "\n * g[%zu]: near what is solved for by Newton steps",
                    eq->n_implicit);
    text_puts(&p->whole, " */\n#include <math.h>\n\n");
}

static bool has_systems(const Outputs *o, const ExprPool *pool)
{
    for (size_t k = 0; k < o->n + o->n_parts; k++) {
        Expr e = k < o->n ? o->all[k] : o->parts[k - o->n];
        if (expr_node(pool, e).op >= EXPR_FACTOR)
            return true;
    }
    return false;
}

static void write_function(Printing *p, const Equations *eq, const Outputs *o)
{
    const Expr *next = o->all;

    if (has_systems(o, eq->pool))
        text_puts(&p->whole, "/* component k of the solution of A x = b, A[n * n] row by row */\n"
                             "double solve(int k, int n, const double *A, const double *b);\n\n");
    text_printf(&p->whole,
                "void rates(double t, const double *y, const double *p,%s double *dydt,\n"
                "           double *q, double *v, double *lambda, double *own)\n{\n"
                "    (void)t, (void)p, (void)lambda, (void)own;\n",
                eq->n_implicit ? " const double *g," : "");
    printing_parts(p, o->parts, o->n_parts);
    printing_array(p, "dydt", next, eq->dim);
    printing_array(p, "q", next += eq->dim, eq->n);
    printing_array(p, "v", next += eq->n, eq->n);
    printing_array(p, "lambda", next += eq->n, eq->n_rows);
    printing_array(p, "own", next + eq->n_rows, eq->n_own);
    text_puts(&p->whole, "}\n");
}

void printing_first_order(Printing *p, const Formulation *formulation, const MotionOptions *options)
{
    Equations eq = {0};
    Outputs o = {0};

    if (p->status != OK)
        return;
    p->status = first_order_derive(p, formulation, options, &eq);
    if (p->status == OK)
        p->status = first_order_share(p, &eq, &o);
    const char **names = p->status == OK ? name_symbols(p, &eq, &o) : NULL;
    if (p->status == OK && !names)
        printing_fail(p, ERR_NO_MEMORY);
    /* print with these names, then restore those of the model */
    if (p->status == OK) {
        const Printing before = *p;
        p->pool = eq.pool;
        p->names = (PrintNames){.names = names, .n = o.first_part + o.n_parts};
        write_head(p, &eq, options, formulation->title);
        write_function(p, &eq, &o);
        p->pool = before.pool;
        p->names = before.names;
    }
    free(o.parts);
    equations_done(&eq);
}
