/* Evaluation of a program: its rows, its inputs and its outputs. */
#include <stdint.h>
#include <string.h>

#include "core/base/numbers.h"
#include "core/program/layout.h"
#include "core/program/native/native.h"

static size_t stride_of(size_t lanes)
{
    const size_t block = PROGRAM_LANE_BLOCK;
    return lanes == 1 ? 1 : (lanes + block - 1) / block * block;
}

size_t program_work_doubles(const Program *program, size_t lanes)
{
    const size_t slack = PROGRAM_ALIGNMENT / sizeof(double) - 1;
    if (lanes == 1)
        return program->n_rows;
    return program->n_rows * stride_of(lanes) + slack + program->n_rows;
}

_Static_assert(sizeof(double *) <= sizeof(double), "a table of rows has room in doubles");

/* The rows in the work space, aligned for vectors, and the table behind them. */
static Rows rows_in(const Program *program, double *work, size_t lanes)
{
    const size_t beyond = (uintptr_t)work % PROGRAM_ALIGNMENT;
    double *const first = beyond == 0 ? work : work + (PROGRAM_ALIGNMENT - beyond) / sizeof(double);
    void *table = first + program->n_rows * stride_of(lanes);
    return (Rows){.first = lanes == 1 ? work : first, .table = lanes == 1 ? NULL : table};
}

/* Copies from[n][lanes] to rows[n][stride]; the lanes beyond repeat the last. */
static void copy_in(double *rows, const double *from, size_t n, size_t lanes)
{
    const size_t stride = stride_of(lanes);
    for (size_t k = 0; k < n; k++, rows += stride, from += lanes) {
        memcpy(rows, from, lanes * sizeof *rows);
        for (size_t lane = lanes; lane < stride; lane++)
            rows[lane] = from[lanes - 1];
    }
}

double *program_inputs(const Program *program, double *work, size_t lanes)
{
    return lanes == stride_of(lanes) ? rows_in(program, work, lanes).first : NULL;
}

/* Computes the values that depend on parameters and constants only, whose rows are set. */
static void run_prologue(const Program *program, Rows rows, size_t lanes)
{
    const size_t stride = stride_of(lanes);

    if (lanes == 1) {
        program->interpreter->one(&program->run_prologue, rows.first);
        return;
    }
    for (size_t k = 0; k < program->n_rows; k++)
        rows.table[k] = rows.first + k * stride;
    program->interpreter->lanes(&program->run_prologue, rows, stride);
}

void program_bind(const Program *program, const double *params, double *work, size_t lanes)
{
    const size_t stride = stride_of(lanes);
    const Rows rows = rows_in(program, work, lanes);
    double *row = rows.first + program->n_inputs * stride;

    copy_in(row, params, program->n_params, lanes);
    row += program->n_params * stride;
    for (size_t k = 0; k < program->n_constants; k++)
        for (size_t lane = 0; lane < stride; lane++)
            *row++ = program->constants[k];
    run_prologue(program, rows, lanes);
}

/* Whether a lane of rows[n][stride] has the bits of these values. */
static bool has_lane(const double *rows, size_t stride, size_t lane, const double *values, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (numbers_differ(rows[k * stride + lane], values[k]))
            return false;
    return true;
}

void program_bind_lane(const Program *program, const double *params, size_t lane, double *work,
                       size_t lanes)
{
    const size_t stride = stride_of(lanes), last = lane + 1 == lanes ? stride : lane + 1;
    const Rows rows = rows_in(program, work, lanes);
    double *row = rows.first + program->n_inputs * stride;

    if (has_lane(row, stride, lane, params, program->n_params))
        return;
    for (size_t k = 0; k < program->n_params; k++, row += stride)
        for (size_t l = lane; l < last; l++) /* the lanes beyond repeat the last */
            row[l] = params[k];
    run_prologue(program, rows, lanes);
}

/* The caller's rows are whole blocks of lanes: points the table at them. */
static void use_in_place(const Program *program, const double *in, double *out, Rows rows,
                         size_t lanes)
{
    const bool there = rows.table[0] == in; /* the same input as at the last call */

    for (size_t k = 0; k < program->n_inputs && !there; k++) {
        const double *row = in + k * lanes; /* it is only read */
        memcpy(&rows.table[k], &row, sizeof row);
    }
    for (size_t i = 0; i < program->n_direct; i++) {
        const uint32_t k = program->direct[i];
        rows.table[program->output_rows[k]] = out + k * lanes;
    }
}

static void eval_in_place(const Program *program, const double *in, double *out, Rows rows,
                          size_t lanes)
{
    NativeCode *const code = native_code(program, lanes);
    if (!code || program->native->eliminates)
        use_in_place(program, in, out, rows, lanes);
    if (code) {
        native_run(program, code, rows, in, out, lanes);
        return;
    }
    program->interpreter->lanes(&program->run_body, rows, lanes);
    for (const OutputCopy *c = program->copies; c < program->copies + program->n_copies; c++)
        memcpy(out + c->output * lanes, rows.table[c->row], c->n * lanes * sizeof *out);
}

/* Whole blocks of lanes, copied into the rows and out of them. */
static void eval_copied(const Program *program, const double *in, double *out, Rows rows,
                        size_t lanes)
{
    const size_t stride = stride_of(lanes);
    NativeCode *const code = native_code(program, stride);
    double *const own = rows.first + program->outputs * stride;

    copy_in(rows.first, in, program->n_inputs, lanes);
    if (code)
        native_run(program, code, rows, rows.first, own, stride);
    else
        program->interpreter->lanes(&program->run_body, rows, stride);
    for (size_t k = 0; k < program->n_outputs; k++) {
        const double *from = code ? own + k * stride : rows.table[program->output_rows[k]];
        memcpy(out + k * lanes, from, lanes * sizeof *out);
    }
}

/* Apart, so that the path of one lane does not save the registers that this one uses. */
static __attribute__((noinline)) void eval_lanes(const Program *program, const double *in,
                                                 double *out, double *work, size_t lanes)
{
    const Rows rows = rows_in(program, work, lanes);
    if (lanes == stride_of(lanes))
        eval_in_place(program, in, out, rows, lanes);
    else
        eval_copied(program, in, out, rows, lanes);
}

/* Eliminations read and write rows: all inputs and outputs go through them. */
static __attribute__((noinline)) void eliminate_one(const Program *program, NativeCode *code,
                                                    const double *in, double *out, double *work)
{
    double *const own = work + program->outputs;
    program_set_inputs(program, in, work);
    native_run(program, code, (Rows){.first = work}, work, own, 1);
    if (program->n_outputs > 0)
        memcpy(out, own, program->n_outputs * sizeof *out);
}

/* All evaluations that are not one lane of machine code without eliminations. */
static __attribute__((noinline)) void eval_otherwise(const Program *program, const double *in,
                                                     double *out, double *work, size_t lanes)
{
    if (lanes != 1) {
        eval_lanes(program, in, out, work, lanes);
        return;
    }
    NativeCode *const code = native_code(program, 1);
    if (code && program->native->eliminates) {
        eliminate_one(program, code, in, out, work);
    } else if (code) {
        code(work, in, out, program->native->one, NULL);
    } else {
        program_set_inputs(program, in, work);
        program->interpreter->one(&program->run_body, work);
        program_get_outputs(program, work, out);
    }
}

/* The usual path saves nothing on the stack. */
void program_eval(const Program *program, const double *in, double *out, double *work, size_t lanes)
{
    NativeCode *const code = native_made(program, 1);

    if (lanes == 1 && code && !program->native->eliminates)
        code(work, in, out, program->native->one, NULL);
    else
        eval_otherwise(program, in, out, work, lanes);
}
