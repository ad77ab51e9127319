/* Straight-line programs made from expressions, and their evaluation in lanes.
 *
 * A program maps input rows to output rows. Every value is a row of `lanes` doubles, one lane per
 * trajectory: in[input][lane], out[output][lane], component-major. Each lane's result has the same
 * bits for every number of lanes and all values of the other lanes; a NaN may have other bits, but
 * stays a NaN. + - * / and sqrt are IEEE, nothing is contracted, sine and cosine are our own, the
 * other functions come from SLEEF's reproducible variants, the widest of the CPU.
 *
 * The accuracy of the functions is in core/program/vector/elementary.h. EXPR_FACTOR scales rows,
 * and columns of a saddle-point matrix, by powers of two and pivots in each lane separately.
 * EXPR_RCOND is LINPACK's estimate in the 1-norm, exactly 0 for a singular matrix, whose solutions
 * are not finite.
 *
 * Values that depend only on the parameters are computed once, by program_bind(); program_eval()
 * does the rest. A program is immutable and shared by threads; a work space is not. */
#ifndef CORE_PROGRAM_PROGRAM_H
#define CORE_PROGRAM_PROGRAM_H

#include <stdbool.h>

#include "core/expr/graph/expr.h"
#include "core/program/shakes.h"

typedef struct Program Program;

typedef struct ProgramSpec {
    const ExprPool *pool;
    const Expr *params; /* symbols, in the order of program_bind's rows */
    size_t n_params;
    const Expr *inputs; /* symbols, in the order of program_eval's rows */
    size_t n_inputs;
    const Expr *outputs;
    size_t n_outputs;
    /* Symbols that stand for older expressions: names[k] has the value of meanings[k], rounded like
     * an output. Expressions in the names are not simplified with their meanings. */
    const Expr *names, *meanings;
    size_t n_names;
} ProgramSpec;

/* ERR_INTERNAL: a symbol is no input, parameter or name; ERR_LIMIT: the program is too long. */
Status program_compile(const ProgramSpec *spec, Program **ret_program, Error *err) MUST_CHECK;
void program_free(Program *program); /* NULL is fine */

size_t program_n_params(const Program *program);
size_t program_n_inputs(const Program *program);
size_t program_n_outputs(const Program *program);
size_t program_length(const Program *program); /* operations of one evaluation */

/* Doubles of work space for this many lanes (1 <= lanes <= PROGRAM_MAX_LANES). It comes from
 * malloc, because it holds more than doubles, and must not be moved after program_bind(). */
enum { PROGRAM_MAX_LANES = 64 };
size_t program_work_doubles(const Program *program, size_t lanes);

/* Sets the parameters, params[n_params][lanes]; call before the first evaluation with this
 * work space and whenever a parameter changes. */
void program_bind(const Program *program, const double *params, double *work, size_t lanes);

/* Sets the parameters of one lane of a bound work space, params[n_params]. */
void program_bind_lane(const Program *program, const double *params, size_t lane, double *work,
                       size_t lanes);

/* The place of the inputs in a work space, [n_inputs][lanes]. Inputs there are evaluated without a
 * copy and stay unchanged. NULL if lanes are neither 1 nor a multiple of 8. */
double *program_inputs(const Program *program, double *work, size_t lanes);

/* out[n_outputs][lanes] from in[n_inputs][lanes]. Never fails: undefined or overflowing values are
 * infinity or NaN. out must not overlap in. Multiples of 8 lanes are read and written in place;
 * aligned to 64 bytes they are fastest. One lane is copied to program_inputs(). */
void program_eval(const Program *program, const double *in, double *out, double *work,
                  size_t lanes);

/* Chooses the evaluator of programs compiled from now on in this process: "native" (machine code of
 * this CPU for programs that are evaluated often, if the system allows it; the default) or
 * "interpreter". The bits are the same. False if there is no such name. */
bool program_use_evaluator(const char *name) MUST_CHECK;
/* The name of the evaluator in use. */
const char *program_evaluator(void);

/* The same for one lane, with each operand times the next of the random factors. With factors of
 * DBL_EPSILON the spread of the results shows the effect of rounding. Larger factors show the size
 * of the terms in the results. Several times slower. */
void program_eval_shaken(const Program *program, const double *in, double *out, double *work,
                         Shakes *shakes);

#endif
