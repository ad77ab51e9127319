/* Compiles a graph to a program: lowered to a tape, shortened, and given rows. */
#include "core/program/compile/compile.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "core/program/native/native.h"

void program_free(Program *program)
{
    if (!program)
        return;
    native_free(program->native);
    arena_done(&program->memory);
    free(program);
}

/* Turns a tape into instructions; changes the tape. */
static Status compile_tape(Tape *tape, const uint32_t *outputs, bool unfused, Program *program,
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
    program->run_body = (ProgramSequence){.code = program->body, .lists = program->lists};
    return status;
}

Status program_compile_with(const ProgramSpec *spec, ProgramOptions options, Program **ret_program,
                            Error *err)
{
    Tape tape = {0};
    Arena scratch = {0};
    uint32_t *outputs = ARENA_NEW(&scratch, spec->n_outputs, uint32_t);
    Program *program = alloc_array(1, sizeof *program);
    Status status = outputs && program ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");

    if (status == OK)
        status = tape_init(&tape, err);
    if (status == OK)
        status = lower_graph(spec, &tape, outputs, err);
    if (status == OK) {
        program->n_params = spec->n_params;
        program->n_inputs = spec->n_inputs;
        program->n_outputs = spec->n_outputs;
        program->interpreter = interpreter_get(options.level);
        status = compile_tape(&tape, outputs, options.unfused, program, err);
    }
    /* native code is made from the finished body */
    if (status == OK) {
        program->native = native_new(program, options.level);
        if (!program->native)
            status = error_set(err, ERR_NO_MEMORY, "out of memory");
    }
    tape_done(&tape);
    arena_done(&scratch);
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
