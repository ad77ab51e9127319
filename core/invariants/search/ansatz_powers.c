/* Candidates without velocities that the potential suggests. */
#include <math.h>

#include "core/expr/calculus/calculus.h"
#include "core/invariants/analysis.h"
#include "core/invariants/search/ansatz.h"

/* Terms of a potential, and the degree of a monomial, that are considered. Conventions. */
enum { MAX_TERMS = 16, MAX_DEGREE = 1000 };

/* A sum of terms: the degree of the terms that are polynomials in the coordinates, and the
 * others without factors that do not depend on coordinates. */
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
    /* term by term */
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

    /* the atoms that are coordinates */
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
