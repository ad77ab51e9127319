/* What the fuzz harnesses share.
 *
 * A harness is a file fuzz_NAME.c with the two functions below; its inputs are in corpus/NAME/.
 * Linked with libFuzzer it searches for inputs that break a promise (run.sh); linked with replay.c
 * it only reads the corpus again (make check). A broken promise aborts. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/diagnostics.h"
#include "core/base/status.h"
#include "core/base/text.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition, ...)                                                      \
    do {                                                                             \
        if (!(condition)) {                                                          \
            fprintf(stderr, "%s:%d: %s is false: ", __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__);                                            \
            fputc('\n', stderr);                                                     \
            abort();                                                                 \
        }                                                                            \
    } while (0)

/* A copy that ends with a zero byte; free(). */
char *fuzz_string(const uint8_t *data, size_t size);

/* The text is what our validator accepts. `what` says whose text it is. */
void require_json(const char *text, size_t size, const char *what);

/* What a refusal promises: mistakes, each at a place of the document (as far as it is JSON), told
 * in a problem document that is JSON itself. */
void require_mistakes(const uint8_t *data, size_t size, const Diagnostics *diag);

#endif
