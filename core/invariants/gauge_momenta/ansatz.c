/* The default ansatz of gauge momenta and the changes by options. */
#include "core/invariants/gauge_momenta/problem.h"

#include <math.h>

/* Unknowns: the ansatz is of degree 2 up to the first number, and of any degree up to the second.
 * Conventions. */
enum { DEFAULT_UNKNOWNS = 240, MAX_UNKNOWNS = 400 };

/* Adds cos and sin of an angle; the square of the second is 1 less that of the first. */
static void add_circular(Ansatz *a, ExprPool *pool, Expr angle)
{
    Expr cosine = expr_call(pool, EXPR_COS, &angle, 1), sine = expr_call(pool, EXPR_SIN, &angle, 1);

    if (a->n_atoms + 2 > ANSATZ_MAX_ATOMS || exprs_contain(a->atoms, a->n_atoms, cosine) ||
        exprs_contain(a->atoms, a->n_atoms, sine))
        return;
    a->atoms[a->n_atoms++] = cosine;
    a->sine[a->n_atoms] = true;
    a->atoms[a->n_atoms++] = sine;
}

static void remove_atom(Ansatz *a, Expr e)
{
    size_t kept = 0;

    for (size_t k = 0; k < a->n_atoms; k++) {
        if (expr_same(a->atoms[k], e))
            continue;
        a->sine[kept] = a->sine[k];
        a->atoms[kept++] = a->atoms[k];
    }
    a->n_atoms = kept;
}

/* The model's functions. An angle has a period or occurs inside sines and cosines alone; its
 * sine and cosine replace it. */
static Status default_ansatz(const Model *model, ExprPool *pool, Ansatz *ret, Error *err)
{
    Status status = ansatz_init(ret, pool, model, err);

    for (size_t i = 0; status == OK && i < model->n; i++) {
        const Expr q = model->sym.q[i];
        if (!(model->kinds.periods[i] > 0) && !exprs_contain(ret->bare, ret->n_bare, q))
            continue;
        remove_atom(ret, q);
        add_circular(ret, pool, q);
    }
    return status;
}

static Status expand(Ansatz *ansatz, ExprPool *pool, const Value *degree, size_t n_generators,
                     Error *err)
{
    const size_t most = MAX_UNKNOWNS / n_generators, few = DEFAULT_UNKNOWNS / n_generators;

    if (degree)
        return ansatz_expand(ansatz, pool, (unsigned)degree->number, most, err);
    Status status = few ? ansatz_expand(ansatz, pool, 2, few, err) : ERR_LIMIT;
    if (status == ERR_LIMIT)
        status = ansatz_expand(ansatz, pool, 1, most ? most : 1, err);
    return status;
}

Status gauge_ansatz_init(const Model *model, ExprPool *pool, const Value *options,
                         size_t n_generators, Ansatz *ret, Diagnostics *diag, Error *err)
{
    const Value *functions = value_member(options, "ansatz");
    Status status = functions ? ansatz_read(ret, pool, model, functions, diag, err)
                              : default_ansatz(model, pool, ret, err);
    if (status == OK)
        status = expand(ret, pool, value_member(options, "degree"), n_generators, err);
    return status;
}

static Status check_ansatz(const Model *model, ExprPool *pool, const Value *options,
                           Diagnostics *diag, Error *err)
{
    const Value *functions = value_member(options, "ansatz"),
                *degree = value_member(options, "degree");
    Ansatz ansatz = {0};
    Generators generators;
    Error why = {0};
    Status status = generators_of_model(model, pool, diag->arena, &generators, err);

    /* only with generators is there an ansatz; a limit is a mistake of the options */
    if (status == OK && generators.n > 0) {
        status = gauge_ansatz_init(model, pool, options, generators.n, &ansatz, diag, &why);
        if (status == ERR_LIMIT) {
            diagnostics_add(diag, degree ? degree->pointer : functions->pointer, -1,
                            "choose fewer functions or a lower degree", "%s", why.message);
            status = ERR_INVALID;
        }
        if (status != OK)
            error_set(err, status, "%s", why.message);
    }
    ansatz_done(&ansatz);
    return status;
}

Status gauge_ansatz_check(const Model *model, const Value *options, Diagnostics *diag, Error *err)
{
    const Value *degree = value_member(options, "degree");
    const size_t before = diag->total;

    ansatz_check_number(degree, 0, ANSATZ_MAX_DEGREE, diag);
    if (diag->total != before)
        return error_set(err, ERR_INVALID, "the degree is out of range");
    if (!degree && !value_member(options, "ansatz"))
        return OK;
    ExprPool *pool = expr_pool_clone(model->pool);
    Status status = pool ? check_ansatz(model, pool, options, diag, err)
                         : error_set(err, ERR_NO_MEMORY, "out of memory");
    expr_pool_free(pool);
    return status;
}
