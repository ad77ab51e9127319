/* Programs with their parameters and work space. */
#include "core/program/function.h"

#include <string.h>

Status function_bind(Function *f, const Program *program, const double *params, size_t lanes,
                     Error *err)
{
    *f = (Function){.program = program, .lanes = lanes};
    if (!program)
        return OK;
    f->out = arena_doubles(&f->memory, program_n_outputs(program) * lanes);
    f->work = arena_doubles(&f->memory, program_work_doubles(program, lanes));
    f->in = f->work ? program_inputs(program, f->work, lanes) : NULL;
    if (!f->in)
        f->in = arena_doubles(&f->memory, program_n_inputs(program) * lanes);
    const size_t n = program_n_params(program) * lanes;
    const ArenaMark mark = arena_mark(&f->memory);
    double *rows = arena_doubles(&f->memory, n); /* the parameters in every lane */
    const Status status = arena_status(&f->memory, err);
    for (size_t i = 0; status == OK && i < n; i++)
        rows[i] = params[i / lanes];
    if (status == OK)
        program_bind(program, rows, f->work, lanes);
    arena_release(&f->memory, mark);
    return status;
}

void function_bind_lane(Function *f, size_t lane, const double *params)
{
    f->evaluated = false;
    if (f->program)
        program_bind_lane(f->program, params, lane, f->work, f->lanes);
}

void function_renew(Function *f, const double *params)
{
    f->evaluated = false;
    if (!f->program)
        return;
    memset(f->in, 0, program_n_inputs(f->program) * sizeof *f->in);
    if (!params)
        return;
    memset(f->out, 0, program_n_outputs(f->program) * sizeof *f->out);
    function_bind_lane(f, 0, params);
}

Status function_init(Function *f, const ProgramSpec *spec, const double *params, Error *err)
{
    return function_init_lanes(f, spec, params, 1, err);
}

Status function_init_lanes(Function *f, const ProgramSpec *spec, const double *params, size_t lanes,
                           Error *err)
{
    Program *program = NULL;
    *f = (Function){0};
    Status status = program_compile(spec, &program, err);
    if (status == OK)
        status = function_bind(f, program, params, lanes, err);
    f->owned = program;
    return status;
}

void function_done(Function *f)
{
    arena_done(&f->memory);
    program_free(f->owned);
    *f = (Function){0};
}

const double *function_eval(Function *f)
{
    if (f->program)
        program_eval(f->program, f->in, f->out, f->work, f->lanes);
    f->evaluated = true;
    return f->out;
}

void function_eval_at(Function *f, const double *in, double *ret_values)
{
    f->evaluated = false;
    if (f->program)
        program_eval(f->program, in, ret_values, f->work, f->lanes);
}

void function_eval_shaken(Function *f, const double *in, double *ret_values, Shakes *shakes)
{
    f->evaluated = false;
    if (f->program)
        program_eval_shaken(f->program, in, ret_values, f->work, shakes);
}
