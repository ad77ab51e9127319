/* Compiles C source with the system's compiler and loads it. */
#include "bench/compiler.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/emit_c.h"

enum { PATH_MAX_LENGTH = 64 };

static void fail(const char *what)
{
    fprintf(stderr, "bench: %s failed\n", what);
    exit(EXIT_FAILURE);
}

static void write_file(const char *path, const Text *text)
{
    FILE *file = fopen(path, "w");
    if (!file || !text_ok(text) || fwrite(text->data, 1, text->length, file) != text->length ||
        fclose(file) != 0)
        fail(path);
}

static CompiledEval *find(void *library, const char *name)
{
    CompiledEval *function;
    void *symbol = dlsym(library, name);
    if (!symbol)
        fail(name);
    memcpy(&function, &symbol, sizeof function);
    return function;
}

static const char *vectors_of(const Program *program)
{
    return program->interpreter->name;
}

Compiled compiler_run(const Program *program, size_t lanes)
{
    char folder[] = "/tmp/bench-XXXXXX", one[PATH_MAX_LENGTH], many[PATH_MAX_LENGTH],
         library[PATH_MAX_LENGTH], command[512];
    Text text = TEXT_INIT;
    Compiled native;

    if (!mkdtemp(folder))
        fail("mkdtemp");
    snprintf(one, sizeof one, "%s/one.c", folder);
    snprintf(many, sizeof many, "%s/lanes.c", folder);
    snprintf(library, sizeof library, "%s/program.so", folder);
    emit_c(program, "eval_one", "scalar", 1, &text);
    write_file(one, &text);
    text_reset(&text);
    emit_c(program, "eval_lanes", vectors_of(program), lanes, &text);
    write_file(many, &text);
    text_done(&text);
    snprintf(command, sizeof command, "%s %s %s -o %s -lsleef -lm", COMPILER, one, many, library);
    if (system(command) != 0) /* NOLINT(cert-env33-c): no part of it is anyone's input */
        fail(command);
    native.library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!native.library)
        fail(dlerror());
    native.one = find(native.library, "eval_one");
    native.lanes = find(native.library, "eval_lanes");
    unlink(one);
    unlink(many);
    unlink(library);
    rmdir(folder);
    return native;
}

void compiler_done(Compiled *native)
{
    dlclose(native->library);
    native->library = NULL;
}
