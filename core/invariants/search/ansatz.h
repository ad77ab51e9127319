/* The functions of coordinates and time, and the velocities they multiply, in a search for first
 * integrals.
 *
 * Products of up to `degree` elementary functions. Those of a model are, unless a client gives
 * others: sin(u) and cos(u) for each u that occurs inside a sine or cosine; the coordinates that
 * occur outside of these, or nowhere; roots, exponentials and denominators that occur; and time,
 * if it occurs. */
#ifndef CORE_INVARIANTS_SEARCH_ANSATZ_H
#define CORE_INVARIANTS_SEARCH_ANSATZ_H

#include "core/base/diagnostics.h"
#include "core/base/value.h"
#include "core/model/model.h"

/* Factors of a product and functions of an ansatz. Conventions. */
enum { ANSATZ_MAX_DEGREE = 6, ANSATZ_MAX_ATOMS = 40 };

typedef struct Ansatz {
    size_t n_plain; /* of the atoms: coordinates, time, sines and cosines of these; the first */
    size_t n_atoms;
    Expr atoms[ANSATZ_MAX_ATOMS];
    bool sine[ANSATZ_MAX_ATOMS]; /* of the cosine before it: no power is needed */
    size_t n_velocities;         /* factors of candidates: the model's velocities, or given ones */
    const Expr *velocities;
    size_t n_bare;
    Expr *bare; /* coordinates that occur only inside sines and cosines: candidates themselves */
    size_t n_powers;
    Expr *powers; /* beyond the products, for candidates without velocities */
    unsigned *power_degrees;
    unsigned degree;
    size_t n; /* products, the simplest first; the first is 1 */
    Expr *functions;
    unsigned *degrees; /* n: the number of factors */
    Arena arena;       /* owns the arrays */
} Ansatz;

/* The model's own functions, in `pool` (a clone of the model's). */
Status ansatz_init(Ansatz *ansatz, ExprPool *pool, const Model *model, Error *err) MUST_CHECK;
void ansatz_done(Ansatz *ansatz); /* {0} is fine */

/* Adds cos and sin of an argument, if there is space for both. */
void ansatz_add_circular(Ansatz *ansatz, ExprPool *pool, Expr argument);

/* Makes the products of up to that many atoms; ERR_LIMIT: more than `most` products; the ansatz is
 * unchanged then. */
Status ansatz_expand(Ansatz *ansatz, ExprPool *pool, unsigned degree, size_t most,
                     Error *err) MUST_CHECK;

/* Adds candidates without velocities beyond the products: the part U(q) of an integral v.K(q).v
 * + U(q) has U_q = 2 K V_q, and therefore the degree of the potential and of K together.
 * Monomials of the coordinates up to the degree of the polynomial part of V, `times` over, and
 * of the products; and the products times the other terms of V; at most `most`. */
Status ansatz_add_powers(Ansatz *ansatz, ExprPool *pool, const Model *model, Expr potential,
                         unsigned times, size_t most, Error *err) MUST_CHECK;

/* Other atoms than the model's: texts, functions of q, t and parameters. Mistakes go to diag. */
Status ansatz_read(Ansatz *ansatz, ExprPool *pool, const Model *model, const Value *functions,
                   Diagnostics *diag, Error *err) MUST_CHECK;

/* Other velocities than the model's: texts, linear in these. They live in diag->arena. */
Status ansatz_read_velocities(Ansatz *ansatz, ExprPool *pool, const Model *model,
                              const Value *velocities, Diagnostics *diag, Error *err) MUST_CHECK;

/* Checks an option that counts factors or velocities; value may be NULL. */
void ansatz_check_number(const Value *value, double from, double to, Diagnostics *diag);

#endif
