/* Runs a program on many points, some lanes at a time. */
#include "tests/core/program/batch.h"

#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

Program *compile_or_fail(const ProgramSpec *spec, InterpreterLevel level)
{
    Error err = {0};
    Program *program = NULL;
    const Status status =
        program_compile_with(spec, (ProgramOptions){.level = level}, &program, &err);
    ck_assert_msg(status == OK, "%s", err.message);
    return program;
}

/* The point that a lane of a batch stands for. */
static size_t point_of(size_t first, size_t lane, size_t n_points)
{
    return first + lane < n_points ? first + lane : n_points - 1;
}

void run_points(const Program *program, const double *params, const double *points, size_t n_points,
                size_t lanes, double *ret_out)
{
    const size_t n_in = program_n_inputs(program), n_out = program_n_outputs(program),
                 n_params = program_n_params(program);
    double *work = calloc(program_work_doubles(program, lanes) + 1, sizeof *work);
    double *in = calloc(n_in * lanes + 1, sizeof *in),
           *out = calloc(n_out * lanes + 1, sizeof *out);
    double *rows = calloc(n_params * lanes + 1, sizeof *rows);
    ck_assert(work && in && out && rows);

    for (size_t k = 0; k < n_params; k++)
        for (size_t lane = 0; lane < lanes; lane++)
            rows[k * lanes + lane] = params[k];
    program_bind(program, rows, work, lanes);
    for (size_t first = 0; first < n_points; first += lanes) {
        for (size_t lane = 0; lane < lanes; lane++)
            for (size_t k = 0; k < n_in; k++)
                in[k * lanes + lane] = points[point_of(first, lane, n_points) * n_in + k];
        program_eval(program, in, out, work, lanes);
        for (size_t lane = 0; lane < lanes && first + lane < n_points; lane++)
            for (size_t k = 0; k < n_out; k++)
                ret_out[(first + lane) * n_out + k] = out[k * lanes + lane];
    }
    free(work);
    free(in);
    free(out);
    free(rows);
}

bool same_double(double a, double b)
{
    uint64_t left, right;
    memcpy(&left, &a, sizeof left);
    memcpy(&right, &b, sizeof right);
    return left == right || (isnan(a) && isnan(b));
}

void check_same(const double *a, const double *b, size_t n, const char *what, size_t lanes)
{
    for (size_t k = 0; k < n; k++)
        if (!same_double(a[k], b[k]))
            ck_abort_msg("%s, %zu lanes, number %zu: %a is not %a", what, lanes, k, a[k], b[k]);
}
