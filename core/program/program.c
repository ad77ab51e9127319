#include "core/program/program.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/program/fuse.h"
#include "core/program/lower.h"
#include "core/program/program_internal.h"

void program_free(Program *program)
{
    if (!program)
        return;
    free(program->prologue);
    free(program->body);
    free(program->lists);
    free(program->constants);
    free(program->output_rows);
    free(program->output_direct);
    free(program);
}

/* Tape to instructions; the tape is used up. */
static Status finish(Tape *tape, const uint32_t *outputs, bool unfused, Program *program,
                     Error *err)
{
    uint32_t *uses = alloc_array(tape->count, sizeof *uses);
    if (!uses)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    tape_count_uses(tape, outputs, program->n_outputs, uses);
    fuse_quotients(tape, uses);
    if (!unfused)
        fuse_operations(tape, uses);
    const Status status = program_assign_rows(tape, uses, outputs, program, err);
    free(uses);
    program->run_prologue = (ProgramSequence){.code = program->prologue, .lists = program->lists};
    program->run_body = (ProgramSequence){.code = program->body,
                                          .lists = program->lists,
                                          .output_rows = program->output_rows,
                                          .n_inputs = program->n_inputs,
                                          .n_outputs = program->n_outputs};
    return status;
}

Status program_compile_with(const ProgramSpec *spec, ProgramOptions options, Program **ret_program,
                            Error *err)
{
    Tape tape = {0};
    uint32_t *outputs = alloc_array(spec->n_outputs, sizeof *outputs);
    Program *program = alloc_array(1, sizeof *program);

    if (!outputs || !program) {
        free(outputs);
        free(program);
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    Status status = tape_init(&tape, err);
    if (status == OK)
        status = lower_graph(spec, &tape, outputs, err);
    if (status == OK) {
        program->n_params = spec->n_params;
        program->n_inputs = spec->n_inputs;
        program->n_outputs = spec->n_outputs;
        program->interpreter = interpreter_get(options.level);
        status = finish(&tape, outputs, options.unfused, program, err);
    }
    tape_done(&tape);
    free(outputs);
    if (status == OK)
        *ret_program = program;
    else
        program_free(program);
    return status;
}

Status program_compile(const ProgramSpec *spec, Program **ret_program, Error *err)
{
    const ProgramOptions options = {.level = interpreter_best()};
    return program_compile_with(spec, options, ret_program, err);
}

size_t program_n_params(const Program *program)
{
    return program->n_params;
}

size_t program_n_inputs(const Program *program)
{
    return program->n_inputs;
}

size_t program_n_outputs(const Program *program)
{
    return program->n_outputs;
}

size_t program_length(const Program *program)
{
    return program->length;
}

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

/* The rows in the work space, aligned as vectors want them, and the table behind them. */
static Rows rows_in(const Program *program, double *work, size_t lanes)
{
    const size_t beyond = (uintptr_t)work % PROGRAM_ALIGNMENT;
    double *const first = beyond == 0 ? work : work + (PROGRAM_ALIGNMENT - beyond) / sizeof(double);
    void *table = first + program->n_rows * stride_of(lanes);
    return (Rows){.first = lanes == 1 ? work : first, .table = lanes == 1 ? NULL : table};
}

/* rows[n][stride] from from[n][lanes]; the lanes beyond repeat the last. */
static void copy_in(double *rows, const double *from, size_t n, size_t lanes)
{
    const size_t stride = stride_of(lanes);
    for (size_t k = 0; k < n; k++, rows += stride, from += lanes) {
        memcpy(rows, from, lanes * sizeof *rows);
        for (size_t lane = lanes; lane < stride; lane++)
            rows[lane] = from[lanes - 1];
    }
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
    if (lanes == 1) {
        program->interpreter->one(&program->run_prologue, NULL, NULL, rows.first);
        return;
    }
    for (size_t k = 0; k < program->n_rows; k++)
        rows.table[k] = rows.first + k * stride;
    program->interpreter->lanes(&program->run_prologue, rows, stride);
}

/* The caller's rows are blocks of lanes: they are used where they are. */
static void use_in_place(const Program *program, const double *in, double *out, Rows rows,
                         size_t lanes)
{
    for (size_t k = 0; k < program->n_inputs; k++) {
        const double *row = in + k * lanes; /* which is only read */
        memcpy(&rows.table[k], &row, sizeof row);
    }
    for (size_t k = 0; k < program->n_outputs; k++)
        if (program->output_direct[k]) {
            double **entry = &rows.table[program->output_rows[k]];
            *entry = out + k * lanes;
        }
}

/* How many outputs from the k-th on lie one after the other, as they shall. */
static size_t outputs_in_a_row(const Program *program, Rows rows, size_t k, size_t lanes)
{
    const double *first = rows.table[program->output_rows[k]];
    size_t n = 1;
    while (k + n < program->n_outputs && !program->output_direct[k + n] &&
           rows.table[program->output_rows[k + n]] == first + n * lanes)
        n++;
    return n;
}

static void eval_in_place(const Program *program, const double *in, double *out, Rows rows,
                          size_t lanes)
{
    use_in_place(program, in, out, rows, lanes);
    program->interpreter->lanes(&program->run_body, rows, lanes);
    for (size_t k = 0; k < program->n_outputs;) {
        size_t n = 1;
        if (!program->output_direct[k]) {
            n = outputs_in_a_row(program, rows, k, lanes);
            memcpy(out + k * lanes, rows.table[program->output_rows[k]], n * lanes * sizeof *out);
        }
        k += n;
    }
}

static void eval_copied(const Program *program, const double *in, double *out, Rows rows,
                        size_t lanes)
{
    copy_in(rows.first, in, program->n_inputs, lanes);
    program->interpreter->lanes(&program->run_body, rows, stride_of(lanes));
    for (size_t k = 0; k < program->n_outputs; k++)
        memcpy(out + k * lanes, rows.table[program->output_rows[k]], lanes * sizeof *out);
}

void program_eval(const Program *program, const double *in, double *out, double *work, size_t lanes)
{
    if (lanes == 1)
        program->interpreter->one(&program->run_body, in, out, work);
    else if (lanes == stride_of(lanes))
        eval_in_place(program, in, out, rows_in(program, work, lanes), lanes);
    else
        eval_copied(program, in, out, rows_in(program, work, lanes), lanes);
}
