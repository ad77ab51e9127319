/* A function: a program with bound parameters, and the work space, inputs and outputs to evaluate
 * it. It belongs to one thread; the program may be shared. */
#ifndef CORE_PROGRAM_FUNCTION_H
#define CORE_PROGRAM_FUNCTION_H

#include "core/base/arena.h"
#include "core/program/program.h"

/* {0} has no program: evaluating it does nothing. */
typedef struct Function {
    const Program *program;
    size_t lanes;
    double *in,
        *out; /* [n_inputs][lanes], [n_outputs][lanes]; the caller fills in, which is kept */
    double *work;
    /* out is the result of function_eval() at in, unless the caller has written to them since */
    bool evaluated;
    Program *owned; /* the program, if the function compiled it */
    Arena memory;   /* owns the arrays */
} Function;

/* Compiles; params[spec->n_params] are copied, one lane. function_done() in any case. */
Status function_init(Function *f, const ProgramSpec *spec, const double *params,
                     Error *err) MUST_CHECK;
/* For several lanes with the same parameters. */
Status function_init_lanes(Function *f, const ProgramSpec *spec, const double *params, size_t lanes,
                           Error *err) MUST_CHECK;

/* Binds a program that outlives the function, for several lanes with the same parameters. program
 * NULL is fine. Call function_done() in any case. */
Status function_bind(Function *f, const Program *program, const double *params, size_t lanes,
                     Error *err) MUST_CHECK;

/* Sets the parameters of one lane, params[n_params]. */
void function_bind_lane(Function *f, size_t lane, const double *params);

/* Like a new binding with these parameters, for one lane; NULL: with the present ones. Values that
 * depend on them alone are computed only if they differ. */
void function_renew(Function *f, const double *params);

void function_done(Function *f); /* {0} is fine */

/* Evaluates at f->in; returns f->out. */
const double *function_eval(Function *f);

/* Evaluates at in[n_inputs][lanes] into ret_values[n_outputs][lanes], not into f->out. */
void function_eval_at(Function *f, const double *in, double *ret_values);

/* The same with random errors (program_eval_shaken); one lane. */
void function_eval_shaken(Function *f, const double *in, double *ret_values, Shakes *shakes);

#endif
