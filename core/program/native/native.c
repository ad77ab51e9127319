/* Compilation of programs after enough evaluations, and storage of their code. */
#include "core/program/native/native.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/program/native/executable.h"

static atomic_bool refused; /* by program_use_evaluator() */
static pthread_mutex_t compiling = PTHREAD_MUTEX_INITIALIZER;

static Vectors vectors_of(InterpreterLevel level)
{
    return level == INTERPRETER_AVX512 ? VECTORS_EIGHT : VECTORS_FOUR;
}

Native *native_new(const Program *program, InterpreterLevel level)
{
    Native *native = alloc_array(1, sizeof *native);
    if (!native)
        return NULL;
    native->level = level;
    native->one = native_support(VECTORS_ONE);
    native->lanes = native_support(vectors_of(level));
    for (size_t k = 0; k < program->n_body; k++)
        native->eliminates = native->eliminates || program->body[k].op == OP_FACTOR ||
                             program->body[k].op == OP_SOLVE;
    const bool none = level == INTERPRETER_SSE2 || atomic_load(&refused);
    for (size_t k = 0; k < NATIVE_WIDTHS; k++) {
        atomic_init(&native->widths[k].code, NULL);
        atomic_init(&native->widths[k].evaluations, none ? NATIVE_NEVER : 0);
    }
    return native;
}

void native_free(Native *native)
{
    if (!native)
        return;
    for (size_t k = 0; k < NATIVE_WIDTHS; k++)
        executable_free(native->widths[k].memory, native->widths[k].bytes);
    free(native);
}

/* Called by one thread at a time. */
static void compile(const Program *program, size_t lanes)
{
    NativeWidth *w = &program->native->widths[lanes / PROGRAM_LANE_BLOCK];
    const Vectors vectors = lanes == 1 ? VECTORS_ONE : vectors_of(program->native->level);
    Code code = {0};

    if (atomic_load(&w->code))
        return;
    /* translate, and publish the code only after it is in memory */
    if (program->native->level != INTERPRETER_SSE2 && translate(program, vectors, lanes, &code)) {
        w->memory = executable_new(code.bytes, code.length);
        w->bytes = code.length;
    }
    free(code.bytes);
    if (w->memory) {
        NativeCode *entry;
        memcpy(&entry, &w->memory, sizeof entry);
        atomic_store_explicit(&w->code, entry, memory_order_release);
    } else {
        atomic_store(&w->evaluations, NATIVE_NEVER);
    }
}

bool native_compile(const Program *program, size_t lanes)
{
    pthread_mutex_lock(&compiling);
    compile(program, lanes);
    pthread_mutex_unlock(&compiling);
    return atomic_load(&program->native->widths[lanes / PROGRAM_LANE_BLOCK].code) != NULL;
}

NativeCode *native_due(const Program *program, size_t lanes)
{
    if (pthread_mutex_trylock(&compiling) != 0)
        return NULL;
    compile(program, lanes);
    pthread_mutex_unlock(&compiling);
    return atomic_load(&program->native->widths[lanes / PROGRAM_LANE_BLOCK].code);
}

bool program_use_evaluator(const char *name)
{
    const bool native = strcmp(name, "native") == 0;
    if (!native && strcmp(name, "interpreter") != 0)
        return false;
    atomic_store(&refused, !native);
    return true;
}

const char *program_evaluator(void)
{
    const bool native = !atomic_load(&refused) && interpreter_best() != INTERPRETER_SSE2;
    return native && executable_possible() ? "native" : "interpreter";
}
