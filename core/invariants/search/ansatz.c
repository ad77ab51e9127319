/* The elementary functions of a model, read off its expressions, and their products. */
#include "core/invariants/search/ansatz.h"

#include <math.h>

#include "core/expr/calculus/calculus.h"
#include "core/expr/parse/parse.h"
#include "core/invariants/analysis.h"

/* The dependences of a node. */
enum {
    ON_COORDINATES = 1,
    ON_VELOCITIES = 2,
    ON_TIME = 4,
    THROUGH_FUNCTION = 8, /* or a power that is not whole */
    INSIDE = ON_COORDINATES | ON_TIME
};

/* Whether L, the forces and the constraints contain a node. */
enum { SEEN = 1, SEEN_OUTSIDE = 2 /* of every sine and cosine */ };

typedef struct Survey {
    const Model *model;
    const ExprPool *pool;
    size_t size;
    unsigned char *depends, *seen; /* by id, 1 .. size */
} Survey;

static bool is_function(ExprOp op)
{
    return op >= EXPR_SIN && op <= EXPR_HYPOT;
}

static unsigned char symbol_dependence(const Model *m, uint32_t symbol)
{
    if (symbol == 0)
        return ON_TIME;
    if (symbol <= m->n)
        return ON_COORDINATES;
    return symbol <= 2 * m->n ? ON_VELOCITIES : 0;
}

static void mark(Survey *s, Expr root)
{
    if (!expr_is_none(root))
        s->seen[root.id] = SEEN | SEEN_OUTSIDE;
}

static Status survey_init(Survey *s, const Model *m, Arena *scratch, Error *err)
{
    *s = (Survey){.model = m, .pool = m->pool, .size = expr_pool_size(m->pool)};
    s->depends = ARENA_NEW(scratch, s->size + 1, unsigned char);
    s->seen = ARENA_NEW(scratch, s->size + 1, unsigned char);
    Status status = arena_status(scratch, err);
    if (status != OK)
        return status;
    /* upwards: the dependences of each node */
    for (uint32_t id = 1; id <= s->size; id++) {
        ExprNode node = expr_node(s->pool, (Expr){id});
        if (node.op == EXPR_SYMBOL)
            s->depends[id] = symbol_dependence(m, node.symbol);
        for (uint32_t k = 0; k < node.n; k++)
            s->depends[id] |= s->depends[node.args[k].id];
        if (s->depends[id] && is_function(node.op))
            s->depends[id] |= THROUGH_FUNCTION;
    }
    /* downwards from L, forces and constraints: whether they contain each node */
    mark(s, m->L);
    for (size_t i = 0; i < m->n; i++)
        mark(s, m->F[i]);
    for (size_t a = 0; a < m->r; a++)
        mark(s, expr_is_none(m->constraints[a].f) ? m->constraints[a].phi : m->constraints[a].f);
    for (uint32_t id = (uint32_t)s->size; id >= 1; id--) {
        ExprNode node = expr_node(s->pool, (Expr){id});
        unsigned char seen = s->seen[id];
        if (node.op == EXPR_SIN || node.op == EXPR_COS)
            seen &= SEEN;
        for (uint32_t k = 0; k < node.n; k++)
            s->seen[node.args[k].id] |= seen;
    }
    return OK;
}

static void add_atom(Ansatz *a, Expr e, bool sine)
{
    if (a->n_atoms == ANSATZ_MAX_ATOMS || exprs_contain(a->atoms, a->n_atoms, e))
        return;
    a->sine[a->n_atoms] = sine;
    a->atoms[a->n_atoms++] = e;
}

void ansatz_add_circular(Ansatz *a, ExprPool *pool, Expr argument)
{
    if (a->n_atoms + 2 > ANSATZ_MAX_ATOMS)
        return;
    add_atom(a, expr_call(pool, EXPR_COS, &argument, 1), false);
    add_atom(a, expr_call(pool, EXPR_SIN, &argument, 1), true);
}

/* Sines and cosines of arguments that are polynomials, or all other functions. */
static void add_functions(Ansatz *a, ExprPool *pool, const Survey *s, bool plain)
{
    for (uint32_t id = 1; id <= s->size; id++) {
        if (!s->seen[id] || s->depends[id] & ON_VELOCITIES || !(s->depends[id] & INSIDE))
            continue;
        ExprNode node = expr_node(s->pool, (Expr){id});
        const bool circular = node.op == EXPR_SIN || node.op == EXPR_COS;
        const bool simple = circular && !(s->depends[node.args[0].id] & THROUGH_FUNCTION);
        if (simple != plain)
            continue;
        if (circular)
            ansatz_add_circular(a, pool, node.args[0]);
        else if (is_function(node.op))
            add_atom(a, (Expr){id}, false);
    }
}

/* 1/u if the model divides by u; products with velocities too. */
static void add_denominators(Ansatz *a, ExprPool *pool, const Survey *s)
{
    for (uint32_t id = 1; id <= s->size; id++) {
        if (!s->seen[id])
            continue;
        ExprNode node = expr_node(s->pool, (Expr){id});
        for (uint32_t k = 0; node.op == EXPR_PRODUCT && k < node.n; k++) {
            unsigned char on = s->depends[node.args[k].id];
            if (node.coefs[k] < 0 && on & INSIDE && !(on & ON_VELOCITIES))
                add_atom(a, expr_div(pool, expr_const(pool, 1), node.args[k]), false);
        }
    }
}

Status ansatz_init(Ansatz *a, ExprPool *pool, const Model *m, Error *err)
{
    Survey s;
    Arena scratch = {0};

    *a = (Ansatz){0};
    a->bare = ARENA_NEW(&a->arena, m->n, Expr);
    Status status = survey_init(&s, m, &scratch, err);
    if (status == OK)
        status = arena_status(&a->arena, err);
    /* coordinates, but not those inside sines and cosines alone */
    for (size_t i = 0; status == OK && i < m->n; i++) {
        if (s.seen[m->sym.q[i].id] == SEEN)
            a->bare[a->n_bare++] = m->sym.q[i];
        else
            add_atom(a, m->sym.q[i], false);
    }
    /* simple functions first, then the others */
    if (status == OK) {
        add_functions(a, pool, &s, true);
        if (s.seen[m->sym.t.id] & SEEN_OUTSIDE)
            add_atom(a, m->sym.t, false);
        a->n_plain = a->n_atoms;
        add_functions(a, pool, &s, false);
        add_denominators(a, pool, &s);
        status = expr_pool_status(pool, err);
    }
    arena_done(&scratch);
    return status;
}

void ansatz_done(Ansatz *a)
{
    arena_done(&a->arena);
    *a = (Ansatz){0};
}

/* Products whose factors come in the order of the atoms, by the number of factors. */
typedef struct Products {
    size_t n, capacity;
    Expr *items;
    size_t *last; /* atom: only it and those after it may follow */
    unsigned *degrees;
} Products;

static bool products_add(Products *p, Expr e, size_t last, unsigned degree)
{
    if (p->n == p->capacity)
        return false;
    p->items[p->n] = e;
    p->last[p->n] = last;
    p->degrees[p->n++] = degree;
    return true;
}

static bool multiply(const Ansatz *a, ExprPool *pool, unsigned degree, Products *p)
{
    bool fits = products_add(p, expr_const(pool, 1), 0, 0);

    for (size_t k = 0; fits && k < p->n && p->degrees[k] < degree; k++)
        for (size_t b = p->last[k]; fits && b < a->n_atoms; b++) {
            if (a->sine[b] && p->degrees[k] > 0 && p->last[k] == b)
                continue;
            fits = products_add(p, expr_mul(pool, p->items[k], a->atoms[b]), b, p->degrees[k] + 1);
        }
    return fits;
}

Status ansatz_expand(Ansatz *a, ExprPool *pool, unsigned degree, size_t most, Error *err)
{
    const ArenaMark before = arena_mark(&a->arena);
    Arena scratch = {0};
    Products p = {.capacity = most,
                  .items = ARENA_NEW(&a->arena, most, Expr),
                  .last = arena_sizes(&scratch, most),
                  .degrees = ARENA_NEW(&a->arena, most, unsigned)};
    Status status = arena_status(&a->arena, err);

    if (status == OK)
        status = arena_status(&scratch, err);
    if (status == OK && !multiply(a, pool, degree, &p))
        status = error_set(err, ERR_LIMIT, "the ansatz has more than %zu functions", most);
    if (status == OK)
        status = expr_pool_status(pool, err);
    arena_done(&scratch);
    /* a failure leaves the ansatz as it was */
    if (status != OK) {
        arena_release(&a->arena, before);
        return status;
    }
    a->functions = p.items;
    a->degrees = p.degrees;
    a->n = p.n;
    a->degree = degree;
    return OK;
}

static void read_function(Ansatz *a, ExprPool *pool, const Model *m, const ExprScope *scope,
                          const Value *text, Diagnostics *diag)
{
    if (text->kind != VALUE_TEXT) {
        diagnostics_add(diag, text->pointer, -1, NULL, "a function is an expression, in quotes");
        return;
    }
    Expr e = expr_parse(pool, scope, text->text, PARSE_EXPRESSION, text->pointer, diag);
    if (expr_is_none(e))
        return;
    if (analysis_has_velocities(m, pool, &e, 1)) {
        diagnostics_add(diag, text->pointer, -1, "the search itself adds the velocities",
                        "the functions of an ansatz are of coordinates, t and parameters alone");
        return;
    }
    /* the square of a sine behind its cosine is redundant */
    Expr before = a->n_atoms ? a->atoms[a->n_atoms - 1] : EXPR_NONE;
    ExprNode node = expr_node(pool, e);
    Expr argument = node.op == EXPR_SIN ? node.args[0] : EXPR_NONE;
    bool sine = !expr_is_none(argument) && !expr_is_none(before) &&
                expr_same(expr_call(pool, EXPR_COS, &argument, 1), before);
    add_atom(a, e, sine);
}

Status ansatz_read(Ansatz *a, ExprPool *pool, const Model *m, const Value *functions,
                   Diagnostics *diag, Error *err)
{
    const size_t before = diag->total;
    ExprScope *scope;

    *a = (Ansatz){0};
    if (functions->kind != VALUE_LIST || value_count(functions) > ANSATZ_MAX_ATOMS) {
        diagnostics_add(
            diag, functions->pointer, -1, NULL,
            "\"functions\" must be a list of at most %d functions of the coordinates and t",
            ANSATZ_MAX_ATOMS);
        return error_set(err, ERR_INVALID, "the ansatz has mistakes");
    }
    scope = model_scope(m, pool, false, NULL);
    if (!scope)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* goes on after a mistake, so that all are reported together */
    for (const Value *v = functions->first; v; v = v->next)
        read_function(a, pool, m, scope, v, diag);
    expr_scope_free(scope);
    a->n_plain = a->n_atoms;
    if (diag->total != before)
        return error_set(err, ERR_INVALID, "the ansatz has mistakes");
    return expr_pool_status(pool, err);
}

/* Whether e depends on velocities, and its slopes by them do not; true, too, when out of memory. */
static bool is_linear(const Model *m, ExprPool *pool, Expr e)
{
    bool linear = analysis_has_velocities(m, pool, &e, 1);

    for (size_t i = 0; i < m->n; i++) {
        const Expr slope = expr_diff(pool, e, m->sym.v[i]);
        linear = linear && (expr_is_none(slope) || !analysis_has_velocities(m, pool, &slope, 1));
    }
    return linear;
}

static Expr read_velocity(ExprPool *pool, const Model *m, const ExprScope *scope, const Value *text,
                          Diagnostics *diag)
{
    Expr e = EXPR_NONE;

    if (text->kind == VALUE_TEXT)
        e = expr_parse(pool, scope, text->text, PARSE_EXPRESSION, text->pointer, diag);
    else
        diagnostics_add(diag, text->pointer, -1, NULL, "a velocity is an expression, in quotes");
    if (!expr_is_none(e))
        expr_expand(pool, &e, 1, &e);
    if (!expr_is_none(e) && !is_linear(m, pool, e))
        diagnostics_add(diag, text->pointer, -1, "for example a definition, or dot(x) + y*dot(z)",
                        "the velocities of an ansatz are linear in those of the coordinates");
    return e;
}

Status ansatz_read_velocities(Ansatz *a, ExprPool *pool, const Model *m, const Value *velocities,
                              Diagnostics *diag, Error *err)
{
    const size_t before = diag->total, n = value_count(velocities);

    if (velocities->kind != VALUE_LIST || n == 0 || n > ANSATZ_MAX_ATOMS) {
        diagnostics_add(diag, velocities->pointer, -1, NULL,
                        "\"velocities\" must be a list of 1 to %d expressions", ANSATZ_MAX_ATOMS);
        return error_set(err, ERR_INVALID, "the ansatz has mistakes");
    }
    Expr *list = ARENA_NEW(diag->arena, n, Expr);
    ExprScope *scope = list ? model_scope(m, pool, false, NULL) : NULL;
    if (!scope)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* they replace the model's velocities */
    a->n_velocities = 0;
    a->velocities = list;
    for (const Value *v = velocities->first; v; v = v->next)
        list[a->n_velocities++] = read_velocity(pool, m, scope, v, diag);
    expr_scope_free(scope);
    if (diag->total != before)
        return error_set(err, ERR_INVALID, "the ansatz has mistakes");
    return expr_pool_status(pool, err);
}

void ansatz_check_number(const Value *value, double from, double to, Diagnostics *diag)
{
    if (!value)
        return;
    if (value->kind != VALUE_NUMBER || value->number != floor(value->number) ||
        value->number < from || value->number > to)
        diagnostics_add(diag, value->pointer, -1, NULL,
                        "\"%s\" must be a whole number from %g to %g", value->name, from, to);
}

/* Candidates without velocities that the potential suggests. */

/* Terms of a potential, and the degree of a monomial, that are considered. Conventions. */
enum { MAX_TERMS = 16, MAX_DEGREE = 1000 };

/* The degree of the terms that are polynomials; the others without constant factors. */
typedef struct Potential {
    unsigned degree;
    size_t n_terms;
    Expr terms[MAX_TERMS];
} Potential;

/* The degree of a node whose operands have theirs; negative: no polynomial. */
static double degree_of(const ExprNode *node, const double *degrees)
{
    double degree = 0;

    for (uint32_t k = 0; k < node->n; k++) {
        const double of_arg = degrees[node->args[k].id];
        const bool product = node->op == EXPR_PRODUCT;
        if (of_arg < 0 || (of_arg > 0 && product && node->coefs[k] < 0) ||
            (of_arg > 0 && !product && node->op != EXPR_SUM))
            return -1;
        degree = product ? degree + of_arg * node->coefs[k] : fmax(degree, of_arg);
    }
    return degree;
}

/* The factors of a term that depend on coordinates. */
static Expr without_constants(ExprPool *pool, Expr term, const double *degrees)
{
    Expr rest = expr_const(pool, 1);

    if (expr_node(pool, term).op != EXPR_PRODUCT)
        return term;
    for (uint32_t k = 0; k < expr_node(pool, term).n; k++) {
        const ExprNode node = expr_node(pool, term);
        if (degrees[node.args[k].id] != 0) {
            const Expr factor = node.args[k];
            rest = expr_mul(pool, rest, expr_pow(pool, factor, expr_const(pool, node.coefs[k])));
        }
    }
    return rest;
}

static void take_term(Potential *p, ExprPool *pool, Expr term, const double *degrees)
{
    const double degree = degrees[term.id];

    if (degree >= 0)
        p->degree = (unsigned)fmax(p->degree, fmin(degree, MAX_DEGREE));
    else if (p->n_terms < MAX_TERMS)
        p->terms[p->n_terms++] = without_constants(pool, term, degrees);
}

static Status read_potential(Potential *p, ExprPool *pool, const Model *m, Expr potential,
                             Error *err)
{
    Arena scratch = {0};
    Expr e;

    *p = (Potential){0};
    expr_expand(pool, &potential, 1, &e);
    Status status = expr_pool_status(pool, err);
    double *degrees = status == OK ? arena_doubles(&scratch, (size_t)e.id + 1) : NULL;
    if (status == OK)
        status = arena_status(&scratch, err);
    /* upwards: the degree of each node */
    for (uint32_t id = 1; status == OK && id <= e.id; id++) {
        const ExprNode node = expr_node(pool, (Expr){id});
        degrees[id] = exprs_contain(m->sym.q, m->n, (Expr){id}) ? 1 : degree_of(&node, degrees);
    }
    if (status == OK && expr_node(pool, e).op != EXPR_SUM)
        take_term(p, pool, e, degrees);
    else if (status == OK)
        for (uint32_t k = 0; k < expr_node(pool, e).n; k++)
            take_term(p, pool, expr_node(pool, e).args[k], degrees);
    if (status == OK)
        status = expr_pool_status(pool, err);
    arena_done(&scratch);
    return status;
}

static void add(Ansatz *a, size_t most, Expr e, unsigned degree)
{
    if (a->n_powers == most || exprs_contain(a->functions, a->n, e) ||
        exprs_contain(a->powers, a->n_powers, e))
        return;
    a->powers[a->n_powers] = e;
    a->power_degrees[a->n_powers++] = degree;
}

static size_t count_longer(const Ansatz *products, unsigned degree)
{
    size_t n = 0;
    for (size_t k = 0; k < products->n; k++)
        n += products->degrees[k] > degree;
    return n;
}

/* All of one degree or none: of the highest degree that fits into `most`. */
static Status add_monomials(Ansatz *a, ExprPool *pool, const Model *m, unsigned degree, size_t most,
                            Error *err)
{
    Ansatz coordinates = {0};
    Status status = ERR_LIMIT;

    for (size_t k = 0; k < a->n_atoms; k++)
        if (exprs_contain(m->sym.q, m->n, a->atoms[k]))
            coordinates.atoms[coordinates.n_atoms++] = a->atoms[k];
    /* products of them, with fewer and fewer factors */
    for (unsigned d = degree; status == ERR_LIMIT && d > a->degree; d--) {
        Error none;
        status = ansatz_expand(&coordinates, pool, d, a->n + most, &none);
        if (status == OK && count_longer(&coordinates, a->degree) > most)
            status = ERR_LIMIT; /* fewer factors may do */
        else if (status != OK && status != ERR_LIMIT)
            error_set(err, status, "%s", none.message);
    }
    for (size_t k = 0; status == OK && k < coordinates.n; k++)
        add(a, most, coordinates.functions[k], coordinates.degrees[k]);
    ansatz_done(&coordinates);
    return status == ERR_LIMIT ? OK : status;
}

Status ansatz_add_powers(Ansatz *a, ExprPool *pool, const Model *m, Expr potential, unsigned times,
                         size_t most, Error *err)
{
    Potential p;
    Status status = read_potential(&p, pool, m, potential, err);

    a->n_powers = 0;
    a->powers = ARENA_NEW(&a->arena, most, Expr);
    a->power_degrees = ARENA_NEW(&a->arena, most, unsigned);
    if (status == OK)
        status = arena_status(&a->arena, err);
    if (status == OK && p.degree > 1)
        status = add_monomials(a, pool, m, times * p.degree + a->degree, most, err);
    for (size_t k = 0; status == OK && k < a->n; k++)
        for (size_t i = 0; i < p.n_terms; i++)
            add(a, most, expr_mul(pool, a->functions[k], p.terms[i]), a->degrees[k] + 2);
    return status == OK ? expr_pool_status(pool, err) : status;
}
