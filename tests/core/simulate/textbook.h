/* DOP853 as textbooks have it, for the steps that a motion needs where nothing is looked for beside
 * it. */
#ifndef TESTS_CORE_SIMULATE_TEXTBOOK_H
#define TESTS_CORE_SIMULATE_TEXTBOOK_H

#include <stddef.h>

#include "core/motion/eval.h"

/* Room for the states of random models, and for one row more. */
enum { TEXTBOOK_MAX_DIM = 40 };

typedef struct TextbookSpan {
    double t0, end, rtol, atol;
    size_t most_steps;
} TextbookSpan;

/* Integrates y[dim] with the step control of E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary
 * Differential Equations I, 1993, sections II.4 and II.10. Steps, those that were rejected too; 0:
 * it does not get there. */
size_t textbook_dop853(MotionEval *eval, size_t dim, const TextbookSpan *span, double *y);

#endif
