/* The table of interpreters, and the best one that the CPU can run. */
#include "core/program/interpreter.h"

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
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return INTERPRETER_SSE2;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl"))
        return INTERPRETER_AVX2;
    return INTERPRETER_AVX512;
}
