/* The derived equations, printed: what a person checks by hand, or pastes into a paper or a
 * program. */
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/compiled.h"

enum { MAX_EQUATION_BYTES = 200000, MAX_WHOLE_BYTES = 2000000 };

typedef struct Printer {
    const Model *model;
    ExprPool *pool; /* a clone, for the sums that only printing needs */
    PrintFormat format;
    PrintNames names;
    Arena *arena;
    PrintedEquation *items;
    size_t n;
    Text whole, one;
    Error *err;
    Status status; /* sticky */
} Printer;

static void print_expr(Printer *p, Expr e)
{
    if (p->status == OK)
        p->status =
            expr_print(p->pool, e, p->format, p->names, MAX_EQUATION_BYTES, &p->one, p->err);
}

static void fail_memory(Printer *p)
{
    if (p->status == OK)
        p->status = error_set(p->err, ERR_NO_MEMORY, "out of memory");
}

/* Takes what is in p->one as the equation `name`. */
static void finish_item(Printer *p, const char *role, const char *name)
{
    if (p->status != OK)
        return;
    PrintedEquation item = {.name = arena_strdup(p->arena, name),
                            .role = role,
                            .text = arena_strdup(p->arena, text_string(&p->one))};
    if (!item.name || !item.text || !text_ok(&p->one))
        fail_memory(p);
    else
        p->items[p->n++] = item;
    text_reset(&p->one);
}

/* "lhs = rhs" in the format. */
static void print_equation(Printer *p, Expr lhs, Expr rhs)
{
    print_expr(p, lhs);
    text_puts(&p->one, " = ");
    print_expr(p, rhs);
}

static void print_single(Printer *p, const char *role, const char *name, Expr e)
{
    print_expr(p, e);
    finish_item(p, role, name);
}

/* Coordinate i: sum_j M_ij ddot(q_j) + l_i = F_i + sum_a A_ai lambda_a. */
static void print_motion(Printer *p, size_t i)
{
    const Model *m = p->model;
    Expr inertia = expr_dot(p->pool, m->n, m->M + i * m->n, m->vdot);
    Expr lhs = expr_add(p->pool, inertia, m->l[i]);
    Expr rhs = m->F[i];

    for (size_t a = 0; a < m->r; a++)
        rhs = expr_add(p->pool, rhs, expr_mul(p->pool, m->A[a * m->n + i], m->lambda[a]));
    print_equation(p, lhs, rhs);
    finish_item(p, "motion", m->coordinate_names[i]);
}

/* A vdot + psi = 0: the constraint as it enters the equations. */
static void print_acceleration(Printer *p, size_t a)
{
    const Model *m = p->model;
    Expr sum = expr_dot(p->pool, m->n, m->A + a * m->n, m->vdot);

    print_equation(p, expr_add(p->pool, sum, m->constraints[a].psi), expr_const(p->pool, 0));
    finish_item(p, "constraint_acceleration", m->constraints[a].name);
}

static void print_constraint(Printer *p, size_t a)
{
    const Constraint *c = &p->model->constraints[a];
    print_equation(p, c->kind == CONSTRAINT_HOLONOMIC ? c->f : c->phi, expr_const(p->pool, 0));
    finish_item(p, "constraint", c->name);
}

static void print_items(Printer *p)
{
    const Model *m = p->model;
    const size_t n = m->n;

    print_single(p, "lagrangian", "L", m->L);
    for (size_t i = 0; i < n; i++)
        if (!expr_is_zero(p->pool, m->F[i]))
            print_single(p, "force", m->coordinate_names[i], m->F[i]);
    for (size_t a = 0; a < m->r; a++)
        print_constraint(p, a);
    for (size_t i = 0; i < n; i++)
        print_motion(p, i);
    for (size_t a = 0; a < m->r; a++)
        print_acceleration(p, a);
    for (size_t i = 0; i < n; i++)
        print_single(p, "momentum", m->coordinate_names[i], m->p[i]);
    print_single(p, "energy", "E", m->energy);
}

/* Text and LaTeX: the items under headings. */
static void print_document(Printer *p, const char *title)
{
    static const struct {
        const char *role, *heading;
    } SECTIONS[] = {
        {"lagrangian", "Lagrangian"},
        {"force", "Generalised forces"},
        {"constraint", "Constraints"},
        {"motion", "Equations of motion"},
        {"constraint_acceleration", "Constraints, differentiated"},
        {"momentum", "Momenta"},
        {"energy", "Energy"},
    };
    bool latex = p->format == PRINT_LATEX;

    text_printf(&p->whole, latex ? "%% %s\n" : "%s\n", title);
    for (size_t k = 0; k < sizeof SECTIONS / sizeof SECTIONS[0]; k++) {
        bool headed = false;
        for (size_t i = 0; i < p->n; i++) {
            const PrintedEquation *item = &p->items[i];
            if (strcmp(item->role, SECTIONS[k].role) != 0)
                continue;
            if (!headed)
                text_printf(&p->whole, latex ? "\n\\paragraph{%s}\n" : "\n%s\n",
                            SECTIONS[k].heading);
            headed = true;
            if (latex)
                text_printf(&p->whole, "\\[ %s \\] %% %s\n", item->text, item->name);
            else
                text_printf(&p->whole, "  %s: %s\n", item->name, item->text);
        }
    }
}

static void print_c_array(Printer *p, const char *array, const Expr *values, size_t n, size_t row)
{
    for (size_t i = 0; i < n; i++) {
        text_reset(&p->one);
        print_expr(p, values[i]);
        text_printf(&p->whole, "    %s[%zu] = %s;\n", array, row + i, text_string(&p->one));
    }
    text_reset(&p->one);
}

static void print_c_names(Printer *p, const char *what, const char *array, const char **names,
                          size_t n)
{
    if (n == 0)
        return;
    text_printf(&p->whole, " * %s:", what);
    for (size_t i = 0; i < n; i++)
        text_printf(&p->whole, " %s[%zu] %s%s", array, i, names[i], i + 1 < n ? "," : "\n");
}

/* C: one function that fills the matrices of M vdot = b + A^T lambda, A vdot + psi = 0. */
static void print_c_function(Printer *p, const char *title)
{
    const Model *m = p->model;
    const size_t n = m->n;

    text_printf(&p->whole, "/* %s: M vdot = b + A^T lambda, A vdot + psi = 0.\n", title);
    print_c_names(p, "coordinates", "q", m->coordinate_names, n);
    print_c_names(p, "parameters", "p", m->param_names, m->n_params);
    text_printf(&p->whole,
                " * Row-major: M[%zu * %zu], b[%zu], A[%zu * %zu], psi[%zu]. */\n"
                "#include <math.h>\n\n"
                "void equations(double t, const double *q, const double *v, const double *p,\n"
                "               double *M, double *b, double *A, double *psi)\n{\n"
                "    (void)t, (void)q, (void)v, (void)p, (void)A, (void)psi;\n",
                n, n, n, m->r, n, m->r);
    for (size_t i = 0; i < n; i++)
        print_c_array(p, "M", m->M + i * n, n, i * n);
    for (size_t i = 0; i < n; i++) {
        Expr b = expr_sub(p->pool, m->F[i], m->l[i]);
        print_c_array(p, "b", &b, 1, i);
    }
    for (size_t a = 0; a < m->r; a++)
        print_c_array(p, "A", m->A + a * n, n, a * n);
    for (size_t a = 0; a < m->r; a++)
        print_c_array(p, "psi", &m->constraints[a].psi, 1, a);
    text_puts(&p->whole, "}\n");
}

Status compiled_print(const Compiled *compiled, PrintFormat format, Arena *arena,
                      PrintedEquations *ret_equations, Error *err)
{
    const Model *model = compiled->model;
    const size_t most = 2 + 3 * model->n + 2 * model->r;
    Printer p = {.model = model, .format = format, .arena = arena, .err = err};
    char **names = model_print_names(model, format, &p.names.n);

    p.names.names = (const char *const *)names;
    p.pool = expr_pool_clone(model->pool);
    p.items = arena_alloc(arena, most, sizeof *p.items);
    if (!names || !p.pool || !p.items)
        fail_memory(&p);
    if (p.status == OK)
        print_items(&p);
    if (p.status == OK) {
        if (format == PRINT_C)
            print_c_function(&p, compiled->formulation->title);
        else
            print_document(&p, compiled->formulation->title);
    }
    if (p.status == OK)
        p.status = expr_pool_status(p.pool, err);
    if (p.status == OK && p.whole.length > MAX_WHOLE_BYTES)
        p.status =
            error_set(err, ERR_LIMIT, "the equations are longer than %d bytes", MAX_WHOLE_BYTES);
    const char *whole = p.status == OK ? arena_strdup(arena, text_string(&p.whole)) : NULL;
    if (!whole || !text_ok(&p.whole))
        fail_memory(&p);
    if (p.status == OK)
        *ret_equations = (PrintedEquations){.items = p.items, .n = p.n, .whole = whole};
    text_done(&p.whole);
    text_done(&p.one);
    expr_pool_free(p.pool);
    free(names);
    return p.status;
}
