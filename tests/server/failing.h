/* Allocations that fail on request: this program's malloc() is its own, in front of the C
 * library's, so that every library's allocations are counted, in every thread.
 *
 * Not those of FLINT, GMP, MPFR, the C++ library and GSL: they end the process when memory is out,
 * whatever their caller does. With a sanitizer, whose malloc() it would replace, there are none to
 * fail. */
#ifndef TESTS_SERVER_FAILING_H
#define TESTS_SERVER_FAILING_H

#include <stdbool.h>
#include <stddef.h>

typedef enum FailingKind { FAIL_ONCE, FAIL_FROM_THEN_ON } FailingKind;

bool failing_works(void);
/* From now on allocations are counted from 1, and number n fails; 0: none does. */
void failing_arm(size_t n, FailingKind kind);
size_t failing_disarm(void); /* how many there were */

#endif
