/* The derived equations as text, to be checked by hand or pasted into a paper or a program. */
#include <stdlib.h>
#include <string.h>

#include "core/base/stop_token.h"
#include "core/simulate/generic.h"
#include "core/simulate/printing.h"

/* Limit of the printed equations in bytes, all together. Convention. */
enum { MAX_WHOLE_BYTES = 2000000 };

/* Coordinate i: sum_j M_ij ddot(q_j) + l_i = F_i + sum_a A_ai lambda_a. */
static void print_motion(Printing *p, size_t i)
{
    const Model *m = p->model;
    Expr inertia = expr_dot(p->pool, m->n, m->M + i * m->n, m->sym.vdot);
    Expr lhs = expr_add(p->pool, inertia, m->l[i]);
    Expr rhs = m->F[i];

    for (size_t a = 0; a < m->r; a++)
        rhs = expr_add(p->pool, rhs, expr_mul(p->pool, m->A[a * m->n + i], m->sym.lambda[a]));
    printing_item(p, "motion", m->names.coordinates[i], lhs, rhs);
}

/* A vdot + psi = 0: the constraint as it enters the equations. */
static void print_acceleration(Printing *p, size_t a)
{
    const Model *m = p->model;
    Expr sum = expr_dot(p->pool, m->n, m->A + a * m->n, m->sym.vdot);

    printing_item(p, "constraint_acceleration", m->constraints[a].name,
                  expr_add(p->pool, sum, m->constraints[a].psi), expr_const(p->pool, 0));
}

/* The Lagrangian, the forces and the constraints, which do not depend on the formulation. */
static void print_given(Printing *p)
{
    const Model *m = p->model;

    printing_item(p, "lagrangian", "L", m->L, EXPR_NONE);
    for (size_t i = 0; i < m->n; i++)
        if (!expr_is_zero(p->pool, m->F[i]))
            printing_item(p, "force", m->names.coordinates[i], m->F[i], EXPR_NONE);
    for (size_t a = 0; a < m->r; a++) {
        const Constraint *c = &m->constraints[a];
        printing_item(p, "constraint", c->name, c->kind == CONSTRAINT_HOLONOMIC ? c->f : c->phi,
                      expr_const(p->pool, 0));
    }
}

static void print_model(Printing *p)
{
    const Model *m = p->model;

    print_given(p);
    for (size_t i = 0; i < m->n; i++)
        print_motion(p, i);
    for (size_t a = 0; a < m->r; a++)
        print_acceleration(p, a);
    for (size_t i = 0; i < m->n; i++)
        printing_item(p, "momentum", m->names.coordinates[i], m->p[i], EXPR_NONE);
    printing_item(p, "energy", "E", m->energy, EXPR_NONE);
}

static void print_c_names(Printing *p, const char *what, const char *array, const char **names,
                          size_t n)
{
    if (n == 0)
        return;
    text_printf(&p->whole, " * %s:", what);
    for (size_t i = 0; i < n; i++)
        text_printf(&p->whole, " %s[%zu] %s%s", array, i, names[i], i + 1 < n ? "," : "\n");
}

/* The arrays of the C function. Each part that occurs more than once gets a name. */
typedef struct Matrices {
    Expr *M, *b, *A, *psi; /* n x n, n, r x n, r: one array */
    Expr *parts;           /* n_parts, on the heap: the symbols from first_part on */
    size_t n_parts;
    uint32_t first_part;
} Matrices;

static Status share_matrices(const Printing *p, Matrices *ret)
{
    const Model *m = p->model;
    const size_t n = m->n, r = m->r, count = n * n + n + r * n + r;

    ret->M = ARENA_NEW(p->arena, count, Expr);
    if (!ret->M)
        return error_set(p->err, ERR_NO_MEMORY, "out of memory");
    ret->b = ret->M + n * n;
    ret->A = ret->b + n;
    ret->psi = ret->A + r * n;
    memcpy(ret->M, m->M, n * n * sizeof *ret->M);
    for (size_t i = 0; i < n; i++)
        ret->b[i] = expr_sub(p->pool, m->F[i], m->l[i]);
    for (size_t k = 0; k < r * n; k++)
        ret->A[k] = m->A[k];
    for (size_t a = 0; a < r; a++)
        ret->psi[a] = m->constraints[a].psi;
    ret->first_part = m->sym.first_free; /* the model's symbols are all that have names yet */
    return expr_share(p->pool, ret->M, count, ret->first_part, ret->M, &ret->parts, &ret->n_parts,
                      p->err);
}

/* The model's symbols and the parts; in the arena. */
static const char **matrices_names(const Printing *p, const Matrices *matrices)
{
    const char **names =
        ARENA_NEW(p->arena, matrices->first_part + matrices->n_parts, const char *);

    if (names)
        memcpy(names, p->names.names, p->names.n * sizeof *names);
    for (size_t k = 0; names && k < matrices->n_parts; k++)
        names[matrices->first_part + k] = printing_part_name(p, k);
    return names;
}

static void print_c_body(Printing *p, const Matrices *matrices)
{
    const size_t n = p->model->n, r = p->model->r;
    const char **names = matrices_names(p, matrices);
    const Printing before = *p;

    if (!names) {
        printing_fail(p, ERR_NO_MEMORY);
        return;
    }
    p->names = (PrintNames){.names = names, .n = matrices->first_part + matrices->n_parts};
    printing_parts(p, matrices->parts, matrices->n_parts);
    printing_array(p, "M", matrices->M, n * n);
    printing_array(p, "b", matrices->b, n);
    printing_array(p, "A", matrices->A, r * n);
    printing_array(p, "psi", matrices->psi, r);
    p->names = before.names;
}

/* C: one function that fills the matrices of M vdot = b + A^T lambda, A vdot + psi = 0. */
static void print_c_function(Printing *p, const char *title)
{
    const Model *m = p->model;
    const size_t n = m->n;
    Matrices matrices = {0};

    if (p->status == OK)
        p->status = share_matrices(p, &matrices);
    text_printf(&p->whole, "/* %s: M vdot = b + A^T lambda, A vdot + psi = 0.\n", title);
    print_c_names(p, "coordinates", "q", m->names.coordinates, n);
    print_c_names(p, "parameters", "p", m->names.params, m->n_params);
    text_printf(&p->whole,
                " * Row-major: M[%zu * %zu], b[%zu], A[%zu * %zu], psi[%zu]. */\n"
                "#include <math.h>\n\n"
                "void equations(double t, const double *q, const double *v, const double *p,\n"
                "               double *M, double *b, double *A, double *psi)\n{\n"
                "    (void)t, (void)q, (void)v, (void)p, (void)A, (void)psi;\n",
                n, n, n, m->r, n, m->r);
    if (p->status == OK)
        print_c_body(p, &matrices);
    text_puts(&p->whole, "}\n");
    free(matrices.parts);
}

/* Names of all symbols of a presentation; in the arena. */
static const char **presentation_names(const Presentation *page, const PrintNames *of_model,
                                       PrintFormat format, Arena *arena)
{
    const char **names = ARENA_NEW(arena, of_model->n + page->n_symbols, const char *);

    if (!names)
        return NULL;
    memcpy(names, of_model->names, of_model->n * sizeof *names);
    for (size_t k = 0; k < page->n_symbols; k++)
        names[of_model->n + k] = format == PRINT_C       ? arena_printf(arena, "w[%zu]", k)
                                 : format == PRINT_LATEX ? page->latex_names[k]
                                                         : page->text_names[k];
    return names;
}

static void print_page(Printing *p, const Formulation *formulation, const MotionOptions *options)
{
    Presentation page;
    const Printing before = *p;
    const char **names = NULL;

    p->status = presentation_init(&page, p->model, p->err);
    if (p->status == OK)
        p->status = formulation->present(p->model, options, &page, p->err);
    if (p->status == OK)
        p->status = presentation_status(&page, p->err);
    if (p->status == OK) {
        names = presentation_names(&page, &before.names, p->format, p->arena);
        if (!names)
            printing_fail(p, ERR_NO_MEMORY);
    }
    /* print the page with its own names, then restore those of the model */
    if (names) {
        p->pool = page.pool;
        p->names = (PrintNames){.names = names, .n = before.names.n + page.n_symbols};
        for (size_t i = 0; i < page.n; i++)
            printing_item(p, page.items[i].role, page.items[i].name, page.items[i].lhs,
                          page.items[i].rhs);
        p->pool = before.pool;
        p->names = before.names;
    }
    presentation_done(&page);
}

static void print_formulation(Printing *p, const Compiled *compiled, Diagnostics *diag)
{
    const Formulation *formulation = compiled->formulation;
    MotionOptions options;
    Generic generic;

    p->status = generic_init(&generic, compiled, p->arena, p->err);
    if (p->status == OK)
        p->status = generic_options(&generic, formulation, p->arena, &options, diag, p->err);
    if (p->status == OK && formulation->present) {
        print_given(p);
        if (p->status == OK)
            print_page(p, formulation, &options);
    } else if (p->status == OK) {
        print_model(p);
    }
    if (p->format == PRINT_C && p->status == ERR_LIMIT)
        p->status = OK; /* only the page is too long; the function does not need it */
    if (p->format == PRINT_C)
        printing_first_order(p, formulation, &options);
    else
        printing_document(p, formulation->title);
    model_eval_free(generic.eval);
}

static Status printing_end(Printing *p, PrintedEquations *ret)
{
    PrintedEquation *items = arena_alloc(p->arena, p->n, sizeof *items);

    /* the first error, or too long a text, ends it */
    if (p->status == OK)
        p->status = expr_pool_status(p->pool, p->err);
    if (p->status == OK && p->whole.length > MAX_WHOLE_BYTES)
        p->status =
            error_set(p->err, ERR_LIMIT, "the equations are longer than %d bytes", MAX_WHOLE_BYTES);
    const char *whole = p->status == OK ? arena_strdup(p->arena, text_string(&p->whole)) : NULL;
    if (!whole || !items || !text_ok(&p->whole)) {
        printing_fail(p, ERR_NO_MEMORY);
    } else {
        if (p->n)
            memcpy(items, p->items, p->n * sizeof *items);
        *ret = (PrintedEquations){.items = items, .n = p->n, .whole = whole};
    }
    text_done(&p->whole);
    text_done(&p->one);
    free(p->items);
    return p->status;
}

Status compiled_print(const Compiled *compiled, PrintFormat format, Arena *arena, Diagnostics *diag,
                      PrintedEquations *ret_equations, Error *err)
{
    const Model *model = compiled->model;
    Printing p = {.model = model, .format = format, .arena = arena, .err = err};
    char **names = model_print_names(model, format, &p.names.n);

    p.names.names = (const char *const *)names;
    p.pool = expr_pool_clone(model->pool);
    if (!names || !p.pool) {
        printing_fail(&p, ERR_NO_MEMORY);
    } else if (strcmp(compiled->formulation->name, "lagrange-dalembert") == 0) {
        /* the equations of Lagrange-d'Alembert are the model itself; others are derived */
        print_model(&p);
        if (format == PRINT_C)
            print_c_function(&p, compiled->formulation->title);
        else
            printing_document(&p, compiled->formulation->title);
    } else {
        print_formulation(&p, compiled, diag);
    }
    Status status = stop_token_settle(printing_end(&p, ret_equations), err);
    expr_pool_free(p.pool);
    free(names);
    return status;
}
