/* Programs compiled and run on many points, for tests. */
#ifndef TESTS_CORE_PROGRAM_BATCH_H
#define TESTS_CORE_PROGRAM_BATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "core/program/compile/compile.h"
#include "core/program/program.h"

/* Compiles or fails the test. */
Program *compile_or_fail(const ProgramSpec *spec, InterpreterLevel level);

/* Runs points[n_points][n_inputs], `lanes` points at a time (the last batch repeats the last
 * point), and writes ret_out[n_points][n_outputs]; every point has the parameters
 * params[n_params]. */
void run_points(const Program *program, const double *params, const double *points, size_t n_points,
                size_t lanes, double *ret_out);

/* Equal bits, or both NaN: what sign and payload a NaN has is not promised. */
bool same_double(double a, double b);
/* All of a[n] and b[n] are the same; else says where. */
void check_same(const double *a, const double *b, size_t n, const char *what, size_t lanes);

#endif
