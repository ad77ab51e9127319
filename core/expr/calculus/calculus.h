/* Exact derivatives and rewriting on the graph.
 *
 * Functions with corners are differentiated branch by branch: abs(u)' = sign(u) u',
 * sign' = 0, min, max and if differentiate the branch that is taken; at the corner itself this is a
 * one-sided value. Conditions have no derivative. */
#ifndef CORE_EXPR_CALCULUS_H
#define CORE_EXPR_CALCULUS_H

#include "core/expr/graph/expr.h"

/* de/dsymbol for one symbol (forward mode). */
Expr expr_diff(ExprPool *pool, Expr e, Expr symbol);

/* ret[i] = de/dwrt[i] for n symbols in one reverse sweep: the cost does not grow with n. */
void expr_gradient(ExprPool *pool, Expr e, const Expr *wrt, size_t n, Expr *ret);

/* Sum over i of de/dsymbols[i] * rates[i] (forward mode; the derivative along a direction). The
 * total time derivative is this with the coordinates' velocities, 1 for t, accelerations for
 * velocities. The roots are differentiated together and share their work. */
void expr_directional(ExprPool *pool, const Expr *roots, size_t n_roots, const Expr *symbols,
                      const Expr *rates, size_t n, Expr *ret);

/* A part of a direction: symbols[k] changes by rates[k]. */
typedef struct ExprChange {
    const Expr *symbols, *rates;
    size_t n;
} ExprChange;

/* The same along a direction that is given in parts; no symbol is in two of them. */
void expr_along(ExprPool *pool, const Expr *roots, size_t n_roots, const ExprChange *changes,
                size_t n_changes, Expr *ret);

/* The roots with symbols[i] replaced by replacements[i], simplified on the way. */
void expr_substitute(ExprPool *pool, const Expr *roots, size_t n_roots, const Expr *symbols,
                     const Expr *replacements, size_t n, Expr *ret);
/* The same. False, with EXPR_NONE, if a constant in the result would not be finite, as of 1/x at
 * 0: the pool stays good, unlike above. */
bool expr_substitute_finite(ExprPool *pool, const Expr *roots, size_t n_roots, const Expr *symbols,
                            const Expr *replacements, size_t n, Expr *ret) MUST_CHECK;

/* Derivatives in which norms are divided by, hypot(u, w) or sqrt(u^2 + w^2): where they have limits
 * for u, w -> 0, as those of hypot(u, w)*u have, they are evaluated to them there, and not to 0/0.
 * What has none, as u/hypot(u, w), stays as it is. No value elsewhere changes. ret may be roots.
 * Returns how many norms there are, and in ret_norms[EXPR_MOST_NORMS], which may be NULL, which. */
enum { EXPR_MOST_NORMS = 16 };
size_t expr_soften_norms(ExprPool *pool, const Expr *roots, size_t n_roots, Expr *ret,
                         Expr *ret_norms);
/* expr_substitute() where norms that come to be 0 may be divided by: such roots get their limits.
 * Exact: norms that are not 0 there stay what they are. */
void expr_substitute_limits(ExprPool *pool, const Expr *roots, size_t n_roots, const Expr *symbols,
                            const Expr *replacements, size_t n, Expr *ret);

/* Whether the expression is nowhere negative in its domain, by the look of it: made of even
 * powers, norms and exponentials by sums and products. False says nothing. */
bool expr_never_negative(const ExprPool *pool, Expr e);
/* With which power of the symbols, at least, the expression vanishes where they do, as far as its
 * look tells: where it is defined and what multiplies is bounded, |e| <= C |symbols|^power. */
double expr_least_power(const ExprPool *pool, Expr e, const Expr *symbols, size_t n);
/* Whether the expression is analytic wherever it has a value and ret_guards[*ret_n] are not zero;
 * false where there is no room for them, or nothing is known. */
bool expr_is_analytic(const ExprPool *pool, Expr e, Expr *ret_guards, size_t room, size_t *ret_n);

/* The roots with products of sums multiplied out, as far as no product gets more than some dozens
 * of terms: like terms that were hidden in factors collect. The result may be longer or shorter. */
void expr_expand(ExprPool *pool, const Expr *roots, size_t n_roots, Expr *ret);

/* The expression with |w| + w and |w| - w, and multiples of these, as what they are on either side:
 * 2 max(0, w); and with w in branches that are taken where w >= 0 as max(0, w), where roots or
 * powers are taken of it. */
Expr expr_fold_sides(ExprPool *pool, Expr e);

/* A switch: a place where abs, sign, min, max or a comparison changes branch. `guard` vanishes
 * there; `mode` is the symbol that stands for its sign (-1, 0, +1) in frozen expressions. */
typedef struct ExprSwitch {
    Expr guard; /* itself written with the modes of the switches inside it */
    Expr mode;
} ExprSwitch;

/* Rewrites the roots so that no branch depends on a continuous quantity: abs(u) becomes mode * u,
 * sign(u) mode, min(a, b) with guard a - b the branch that mode selects, a < b the condition mode <
 * 0. Equal switches share a mode. Modes are new symbols numbered from first_mode on, in the order
 * of *ret_switches (heap, free()). Roots without corners come back unchanged. */
Status expr_freeze_switches(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t first_mode,
                            Expr *ret_roots, ExprSwitch **ret_switches, size_t *ret_n,
                            Error *err) MUST_CHECK;

/* The guards of steps under the roots, which are where an expression may jump: u of sign(u), a - b
 * of a < b, ...; those that are multiples of each other once; of atan2(y, x) if(x < 0, y, 1), its
 * cut. abs, min and max are continuous, and have none. Writes the first `room` of them and tells
 * how many there are. */
Status expr_steps(ExprPool *pool, const Expr *roots, size_t n_roots, Expr *ret_guards, size_t room,
                  size_t *ret_n, Error *err) MUST_CHECK;
/* Whether two guards are multiples of each other, by the look of them. */
bool expr_same_guard(ExprPool *pool, Expr a, Expr b);
/* Whether nothing in e turns over at the guard but cuts of atan2(). */
Status expr_is_cut(ExprPool *pool, Expr e, Expr guard, bool *ret, Error *err) MUST_CHECK;
/* What e is where the guard is positive less what it is where the guard is negative, as functions
 * that are compared at the same state: where the guard vanishes, the jump. Derivatives do not show
 * it. Other guards that vanish there, too, count as positive with tie > 0, as negative with tie <
 * 0. */
Expr expr_jump(ExprPool *pool, Expr e, Expr guard, double tie);

/* Gives names to what the roots have in common, for texts in which nothing should be written twice:
 * (*ret_parts)[k] (heap, free()) is the meaning of the new symbol first_symbol + k; it may use the
 * symbols before it. Systems and conditions get no names. ret_roots may be roots. */
Status expr_share(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t first_symbol,
                  Expr *ret_roots, Expr **ret_parts, size_t *ret_n, Error *err) MUST_CHECK;

/* The sum of the absolute values of e's terms. */
Expr expr_terms_size(ExprPool *pool, Expr e);
/* The scale against which a residual of the equation e = 0 is small: the sum of the absolute values
 * of its terms, of a product those of each factor that is a sum, times the others. Sines and
 * cosines of terms count as 1. |e| where nothing in it cancels. */
Expr expr_residual_scale(ExprPool *pool, Expr e);

/* The size that e has before anything in it cancels: sums of absolute values at every depth,
 * carried through functions by their derivatives. What e owes to rounding is some units in the last
 * place of it: a value much smaller may be zero. Rounding in a system solved at run time is not
 * counted. */
Expr expr_magnitude(ExprPool *pool, Expr e);
/* The same to first order in the errors: of (x - y)^2 it is 2 |x - y| (|x| + |y|), not what the
 * square of a sum that may cancel could be. So much times the rounding of its operands, and of all
 * that is computed of them, e may be off. */
Expr expr_rounding(ExprPool *pool, Expr e);

#endif
