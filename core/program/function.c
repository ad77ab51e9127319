/* Programs with their parameters and work space in one hand. */
#include "core/program/function.h"

#include <stdlib.h>

#include "core/base/memory.h"

/* The parameters in every lane; NULL when out of memory. */
static double *spread(const double *params, size_t n, size_t lanes)
{
    double *rows = alloc_array(n * lanes, sizeof *rows);
    for (size_t i = 0; rows && i < n * lanes; i++)
        rows[i] = params[i / lanes];
    return rows;
}

Status function_bind(Function *f, const Program *program, const double *params, size_t lanes,
                     Error *err)
{
    *f = (Function){.program = program, .lanes = lanes};
    if (!program)
        return OK;
    double *rows = spread(params, program_n_params(program), lanes);
    f->in = alloc_array(program_n_inputs(program) * lanes, sizeof *f->in);
    f->out = alloc_array(program_n_outputs(program) * lanes, sizeof *f->out);
    f->work = alloc_array(program_work_doubles(program, lanes), sizeof *f->work);
    if (rows && f->in && f->out && f->work) {
        program_bind(program, rows, f->work, lanes);
        free(rows);
        return OK;
    }
    free(rows);
    return error_set(err, ERR_NO_MEMORY, "out of memory");
}

Status function_init(Function *f, const ProgramSpec *spec, const double *params, Error *err)
{
    Program *program = NULL;
    *f = (Function){0};
    Status status = program_compile(spec, &program, err);
    if (status == OK)
        status = function_bind(f, program, params, 1, err);
    f->owned = program;
    return status;
}

void function_done(Function *f)
{
    free(f->in);
    free(f->out);
    free(f->work);
    program_free(f->owned);
    *f = (Function){0};
}

const double *function_eval(Function *f)
{
    if (f->program)
        program_eval(f->program, f->in, f->out, f->work, f->lanes);
    return f->out;
}

void function_eval_at(Function *f, const double *in, double *ret_values)
{
    if (f->program)
        program_eval(f->program, in, ret_values, f->work, f->lanes);
}
