/* Exact derivatives and rewriting on the graph.
 *
 * Functions with corners are differentiated branch by branch: abs(u)' = sign(u) u', sign' = 0. The
 * derivative of min, max and if is that of the taken branch; at the corner itself this is a
 * one-sided value. Conditions have no derivative. */
#ifndef CORE_EXPR_CALCULUS_H
#define CORE_EXPR_CALCULUS_H

#include "core/expr/graph/expr.h"

/* de/dsymbol for one symbol (forward mode). */
Expr expr_diff(ExprPool *pool, Expr e, Expr symbol);

/* ret[i] = de/dwrt[i] for n symbols in one reverse sweep: the cost does not grow with n. */
void expr_gradient(ExprPool *pool, Expr e, const Expr *wrt, size_t n, Expr *ret);
/* The gradients of e[m], row by row: ret[m][n]. */
void expr_jacobian(ExprPool *pool, const Expr *e, size_t m, const Expr *wrt, size_t n, Expr *ret);

/* Sum over i of de/dsymbols[i] * rates[i] (forward mode; the derivative along a direction). The
 * total time derivative has the velocities as rates of coordinates, 1 for t, and accelerations for
 * velocities. The roots are differentiated together and share their work. */
void expr_directional(ExprPool *pool, const Expr *roots, size_t n_roots, const Expr *symbols,
                      const Expr *rates, size_t n, Expr *ret);

/* A part of a direction: symbols[k] changes by rates[k]. */
typedef struct ExprChange {
    const Expr *symbols, *rates;
    size_t n;
} ExprChange;

/* The same along a direction that is given in parts; a symbol is in at most one part. */
void expr_along(ExprPool *pool, const Expr *roots, size_t n_roots, const ExprChange *changes,
                size_t n_changes, Expr *ret);

/* The roots with symbols[i] replaced by replacements[i], simplified. replacements NULL: by 0. */
void expr_substitute(ExprPool *pool, const Expr *roots, size_t n_roots, const Expr *symbols,
                     const Expr *replacements, size_t n, Expr *ret);
/* The same. If a constant in the result would not be finite, such as 1/x at 0: false, and
 * EXPR_NONE. Unlike above, the pool does not fail. */
bool expr_substitute_finite(ExprPool *pool, const Expr *roots, size_t n_roots, const Expr *symbols,
                            const Expr *replacements, size_t n, Expr *ret) MUST_CHECK;

/* Derivatives may divide by norms, hypot(u, w) or sqrt(u^2 + w^2). If they have limits at
 * u = w = 0, such as those of hypot(u, w)*u, they are rewritten to have these values there, not
 * 0/0. Expressions without a limit, such as u/hypot(u, w), stay unchanged. No value elsewhere
 * changes. ret may be roots. Returns the number of norms, and the norms in
 * ret_norms[EXPR_MOST_NORMS], which may be NULL. */
enum { EXPR_MOST_NORMS = 16 };
size_t expr_soften_norms(ExprPool *pool, const Expr *roots, size_t n_roots, Expr *ret,
                         Expr *ret_norms);
/* expr_substitute() if norms in denominators may become 0: such roots get their limits. Exact:
 * norms that are not 0 there are unchanged. */
void expr_substitute_limits(ExprPool *pool, const Expr *roots, size_t n_roots, const Expr *symbols,
                            const Expr *replacements, size_t n, Expr *ret);

/* True if the form of the expression shows that it is nowhere negative in its domain: sums and
 * products of even powers, norms and exponentials. False proves nothing. */
bool expr_never_negative(const ExprPool *pool, Expr e);
/* A lower bound, from the form of the expression, on the power with which it vanishes with the
 * symbols. If it is defined and its other factors are bounded, |e| <= C |symbols|^power. */
double expr_least_power(const ExprPool *pool, Expr e, const Expr *symbols, size_t n);
/* True if the expression is analytic wherever it has a value and ret_guards[*ret_n] are not zero.
 * False if there are too many guards, or nothing is known. */
bool expr_is_analytic(const ExprPool *pool, Expr e, Expr *ret_guards, size_t room, size_t *ret_n);

/* The roots with products of sums multiplied out, up to some dozens of terms per product. Like
 * terms that were hidden in factors are collected. The result may be longer or shorter. */
void expr_expand(ExprPool *pool, const Expr *roots, size_t n_roots, Expr *ret);
/* The number of terms of a sum, with its constant; 1 for any other node, 0 for EXPR_NONE. */
size_t expr_count_terms(const ExprPool *pool, Expr e);
/* a * b, term by term. */
Expr expr_multiply_out(ExprPool *pool, Expr a, Expr b);

/* Writes |w| + w and |w| - w, and multiples of these, as 2 max(0, w) or 2 max(0, -w). In branches
 * that are taken for w >= 0, w becomes max(0, w) if roots or powers are taken of it. */
Expr expr_fold_sides(ExprPool *pool, Expr e);

/* A switch: a zero of `guard`, at which abs, sign, min, max or a comparison changes branch. `mode`
 * is the symbol for the guard's sign (-1, 0, +1) in frozen expressions. */
typedef struct ExprSwitch {
    Expr guard; /* written with the modes of the switches inside it */
    Expr mode;
} ExprSwitch;

/* Rewrites the roots so that no branch depends on a continuous quantity. abs(u) becomes mode * u,
 * sign(u) becomes mode. min(a, b) with guard a - b becomes the branch that mode selects, a < b the
 * condition mode < 0. Equal switches share a mode. Modes are new symbols numbered from first_mode
 * on, in the order of *ret_switches (heap, free()). Roots without corners are unchanged. */
Status expr_freeze_switches(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t first_mode,
                            Expr *ret_roots, ExprSwitch **ret_switches, size_t *ret_n,
                            Error *err) MUST_CHECK;

/* The guards of steps below the roots, at whose zeros an expression may jump: u of sign(u), a - b
 * of a < b, ... Guards that are multiples of each other are listed once. The guard of atan2(y, x)
 * is if(x < 0, y, 1), at its cut. abs, min and max are continuous and have none. Writes the first
 * `room` guards; *ret_n is their number. */
Status expr_steps(ExprPool *pool, const Expr *roots, size_t n_roots, Expr *ret_guards, size_t room,
                  size_t *ret_n, Error *err) MUST_CHECK;
/* Whether the form of two guards shows that they are multiples of each other. */
bool expr_same_guard(ExprPool *pool, Expr a, Expr b);
/* Whether only cuts of atan2() in e have this guard. */
Status expr_is_cut(ExprPool *pool, Expr e, Expr guard, bool *ret, Error *err) MUST_CHECK;
/* e for a positive guard minus e for a negative guard, as functions of the same state. At a zero of
 * the guard this is the jump, which derivatives do not show. Other guards that vanish there, too,
 * count as positive with tie > 0, as negative with tie < 0. */
Expr expr_jump(ExprPool *pool, Expr e, Expr guard, double tie);

/* Gives names to common parts of the roots, for texts that write nothing twice. (*ret_parts)[k]
 * (heap, free()) is the meaning of the new symbol first_symbol + k; it may use the symbols before
 * it. Systems and conditions get no names. ret_roots may be roots. */
Status expr_share(ExprPool *pool, const Expr *roots, size_t n_roots, uint32_t first_symbol,
                  Expr *ret_roots, Expr **ret_parts, size_t *ret_n, Error *err) MUST_CHECK;

/* The sum of the absolute values of e's terms. */
Expr expr_terms_size(ExprPool *pool, Expr e);
/* The scale relative to which a residual of the equation e = 0 is small: the sum of the absolute
 * values of its terms. A product counts the terms of each factor that is a sum, times the other
 * factors. Sines and cosines of terms count as 1. The scale is |e| if nothing in it cancels. */
Expr expr_residual_scale(ExprPool *pool, Expr e);

/* The size of e before cancellation: sums of absolute values at every depth, carried through
 * functions by their derivatives. The rounding error of e is some units in the last place of it, so
 * a much smaller value may be zero. Rounding in a system solved at run time is not counted. */
Expr expr_magnitude(ExprPool *pool, Expr e);
/* The same to first order in the errors: for (x - y)^2 it is 2 |x - y| (|x| + |y|), not the square
 * of a sum that may cancel. It bounds the error of e as a multiple of the rounding of its operands
 * and of all values computed from them. */
Expr expr_rounding(ExprPool *pool, Expr e);

#endif
