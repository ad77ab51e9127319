/* How many digits a computed number has, by the computation that it came from.
 *
 * Double precision rounds to DBL_EPSILON / 2 = 1.1e-16 relative. Every computation loses some of
 * these 16 digits, and how many depends on its kind more than on its data. So a test such as "is
 * this singular value zero?" asks which kind of computation made the number. The ladder has a level
 * for each kind, above its error on data that are not badly scaled: a smaller difference is an
 * error and not a finding.
 *
 * All levels are relative errors (no unit). tests/core/numeric/test_accuracy.c measures the error
 * of each kind of computation and compares it with the level. Sources: N. J. Higham, Accuracy and
 * Stability of Numerical Algorithms (2002), chapters 3, 9 and 14; W. H. Press et al., Numerical
 * Recipes (2007), section 5.7. */
#ifndef CORE_BASE_ACCURACY_H
#define CORE_BASE_ACCURACY_H

#include <float.h>

/* Rounded, no unit: the relative error after some dozen roundings, such as those of a product, a
 * short sum, a coefficient or a tolerance near the limit of doubles. 45 DBL_EPSILON. Theorem: k
 * roundings leave at most k DBL_EPSILON / 2 (Higham 2002). */
static const double ACCURACY_ROUNDED = 1e-14;

/* Summed, no unit: the relative error after some hundred roundings, such as those of a sum with
 * many terms, a matrix product or the reciprocal of a condition number. 450 DBL_EPSILON. Theorem:
 * as above. */
static const double ACCURACY_SUMMED = 1e-13;

/* Computed, no unit: the relative error after some thousand roundings, such as those of a
 * factorization, an eigenvalue, a converged Newton iteration or a model that is evaluated at a
 * random state. 4,500 DBL_EPSILON. Measured: 2e-14 for factors with condition numbers up to 1e3. */
static const double ACCURACY_COMPUTED = 1e-12;

/* Solved, no unit: the relative error of a solution or a rank of a matrix whose entries are
 * computed numbers. Measured: 1.4e-11. Theorem: a condition number of 100 magnifies their errors to
 * this level (Higham 2002). */
static const double ACCURACY_SOLVED = 1e-10;

/* Compared, no unit: the relative difference of two computations of the same number in different
 * ways, such as an integration and its repetition, a solution and its check, or a fit and a simple
 * number. Measured: 6e-10 for an integration with a tolerance of ACCURACY_COMPUTED, whose errors
 * grow by ERROR_GROWTH. */
static const double ACCURACY_COMPARED = 1e-9;

/* Half, no unit: half of the digits. A smaller part is lost in a square: 1 + x^2 rounds to 1. So
 * lengths, distances from a double root and singular values that are known by their squares end
 * here. Theorem: the root of DBL_EPSILON / 2 is 1.05e-8 (Higham 2002). */
static const double ACCURACY_HALF = 1e-8;

/* Differenced, no unit: the relative error of a first-order difference, of a double root, and of a
 * pivot in a matrix of such numbers. Measured: 2e-8. Theorem: the best step leaves 2 roots of
 * DBL_EPSILON, 3e-8, for a function of size 1 (Press et al. 2007). */
static const double ACCURACY_DIFFERENCED = 1e-7;

/* Clear, no unit: above the error of each computation of this ladder. A larger number is not zero,
 * a larger difference is no error, and a matrix with a larger ratio of singular values or pivots
 * has a clear rank. Convention: ten times the level below. */
static const double ACCURACY_CLEAR = 1e-6;

/* Rounding errors without a computation around them. */

/* Few, no unit: the relative error of a number after one or two operations, such as a stored input
 * or a sum of two terms. Convention: a unit of rounding of each operand, and two of the result. */
static const double ROUNDING_FEW = 4 * DBL_EPSILON;

/* Many, no unit: the relative error of the value of an expression, or of a state after many steps.
 * Convention: roundings with random signs grow with the root of their number, here 4,096. */
static const double ROUNDING_MANY = 64 * DBL_EPSILON;

/* Margins and shares. */

/* Factor: an estimated or sampled error, times this, is taken as a bound; also a measured rounding
 * error that may have grown since. Convention. */
static const double ESTIMATE_MARGIN = 4;

/* Ratio to a measured rounding error: a larger value, such as that of a guard that has jumped, is
 * not rounding. Convention. */
static const double CLEAR_OF_ROUNDING = 1e3;

/* Factor: the error of a motion over the error of one step, because errors add up. Convention: on
 * motions that are not chaotic, rounding and the method leave less. */
static const double ERROR_GROWTH = 1e3;

/* Fraction: what is at most this part of a number does not count beside it, such as a neglected
 * term in an error estimate. Convention: two digits of an error are enough. */
static const double NEGLIGIBLE_PART = 1e-2;

/* Relative change, no unit: an iteration has settled if no number changes by more. Convention: 4.5
 * DBL_EPSILON, the rounding of a step of the iteration. */
static const double SETTLED_CHANGE = 1e-15;

#endif
