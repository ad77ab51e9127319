/* When programs are compiled, and where their code is. */
#include "core/program/native/native.h"

#include <math.h>
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

static pthread_once_t sines_once = PTHREAD_ONCE_INIT;
static bool sines_agree;

/* A place to compare at: about 15, about 0, up to where SLEEF is called, and what its first part takes off without rest. */
static double place_of(int i, double u)
{
    const double cube = u * u * u;
    return i % 4 == 0   ? 17 * u
           : i % 4 == 1 ? 16 * cube
           : i % 4 == 2 ? 0x1.1p24 * cube
                        : rint(0x1p22 * cube * u) * 0x1.921fb5p+0;
}

/* Whether sines without calls have the bits of those that SLEEF, as it is linked here, computes: over all quadrants, where it
 * goes other ways, at zeros and what is no number. */
static void compare_sines(void)
{
    enum { POINTS = 3000, ROWS = 3 };
    Instruction body[] = {{.op = OP_SINCOS, .result = 1}, {.op = OP_END}};
    const Program program = {
        .n_inputs = 1, .n_outputs = 2, .n_rows = ROWS, .outputs = 1, .body = body, .n_body = 1};
    const NativeSupport *support = native_support(VECTORS_ONE);
    NativeCode *code[2] = {NULL, NULL};
    void *memory[2] = {NULL, NULL};
    size_t bytes[2] = {0, 0};

    for (int k = 0; k < 2; k++) {
        Code written = {0};
        if (translate(&program, VECTORS_ONE, 1, k == 1, &written))
            memory[k] = executable_new(written.bytes, written.length);
        bytes[k] = written.length;
        memcpy(&code[k], &memory[k], sizeof code[k]);
        free(written.bytes);
    }
    sines_agree = code[0] && code[1];
    for (int i = 0; i <= POINTS && sines_agree; i++) {
        const double u = (2.0 * i - POINTS) / POINTS, x = place_of(i, u);
        double rows[ROWS] = {0}, called[2], inlined[2];
        code[0](rows, &x, called, support, NULL);
        code[1](rows, &x, inlined, support, NULL);
        sines_agree = memcmp(called, inlined, sizeof called) == 0;
    }
    for (int k = 0; k < 2; k++)
        executable_free(memory[k], bytes[k]);
}

/* One thread at a time. */
static void compile(const Program *program, size_t lanes)
{
    NativeWidth *w = &program->native->widths[lanes / PROGRAM_LANE_BLOCK];
    const Vectors vectors = lanes == 1 ? VECTORS_ONE : vectors_of(program->native->level);
    Code code = {0};

    if (atomic_load(&w->code))
        return;
    pthread_once(&sines_once, compare_sines);
    if (program->native->level != INTERPRETER_SSE2 &&
        translate(program, vectors, lanes, sines_agree, &code)) {
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
