/* Questions about expressions that are given as texts over the free symbols x y z s p a b c, and k1
 * k2 k3, which have values. */
#ifndef TESTS_CORE_EXACT_QUESTION_H
#define TESTS_CORE_EXACT_QUESTION_H

#include <check.h>

#include "core/exact/exact.h"
#include "core/expr/parse/parse.h"

enum { QUESTION_FREE = 8, QUESTION_KNOWN = 3, QUESTION_STAGES = 3, QUESTION_MAX = 8 };

typedef struct Question {
    ExprPool *pool;
    ExprScope *scope;
    Arena *arena;
    Expr symbols[QUESTION_FREE + QUESTION_KNOWN];
    double values[QUESTION_KNOWN];
    ExactStage stages[QUESTION_STAGES];
    size_t n_stages;
    double start[QUESTION_FREE + QUESTION_KNOWN]; /* where differences are looked for */
    ExactResult result;                           /* of the last question */
} Question;

void question_init(Question *q);
void question_done(Question *q);

/* Equations (texts, ended by NULL) for the free symbols of these one-letter names. */
void question_stage(Question *q, const char *unknowns, bool linear, const char *const *equations);

/* The answers for one text. */
ExactAnswer question_identity(Question *q, const char *text);
ExactAnswer question_difference(Question *q, const char *text);

/* The proved bounds for a matrix of texts[rows * columns]. With copies, each begins elsewhere. */
void question_rank(Question *q, const char *const *texts, size_t rows, size_t columns,
                   size_t copies, size_t shared, ExactRank *ret_least, ExactRank *ret_most);

/* The roots of det(P0 + s P1 + s^2 P2), texts[3 * size * size]. */
ExactRoots question_roots(Question *q, const char *const *texts, size_t size, size_t degree,
                          size_t zeros, double line);

/* Whether a form, texts[n * n], is positive where rows, texts[r * n] after it, vanish. */
bool question_positive(Question *q, const char *const *texts, size_t n, size_t r);

/* The sign of the sum of texts[n_terms] times powers of n variables, exponents[n_terms][n]. */
ExactSign question_form(Question *q, const char *const *texts, size_t n_terms,
                        const unsigned *exponents, size_t n);

#endif
