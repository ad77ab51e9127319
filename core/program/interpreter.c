/* The table of interpreters, and the best one that the CPU can run. */
#include "core/program/interpreter.h"

#include "core/program/kernels.h"

static const Interpreter INTERPRETERS[INTERPRETER_LEVELS] = {
    [INTERPRETER_SSE2] = {"sse2", interpret_one, interpret_lanes_sse2},
    [INTERPRETER_AVX2] = {"avx2", interpret_one_fma, interpret_lanes_avx2},
    [INTERPRETER_AVX512] = {"avx512", interpret_one_fma, interpret_lanes_avx512},
};

const Interpreter *interpreter_get(InterpreterLevel level)
{
    return &INTERPRETERS[level];
}

InterpreterLevel interpreter_best(void)
{
    __builtin_cpu_init();
    if (!CPU_HAS_AVX2)
        return INTERPRETER_SSE2;
    return CPU_HAS_AVX512 ? INTERPRETER_AVX512 : INTERPRETER_AVX2;
}
