/* Numbers to text and back, bit for bit and without the locale.
 *
 * number_print writes the fewest digits that number_parse reads back as the same bits, without an
 * exponent from 1e-5 to 1e16. The text is valid JSON for every finite value (100000, 1e+300, -0).
 * Callers that write JSON check first for infinities and NaN: inf, -inf, nan. */
#ifndef CORE_BASE_NUMBER_H
#define CORE_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { NUMBER_TEXT_MAX = 32 };

/* Writes at most NUMBER_TEXT_MAX - 1 bytes and a zero byte; returns the length. */
size_t number_print(double value, char *ret_text);

/* Reads a decimal number (an optional minus, digits, point, exponent) from the start of
 * text[0..length). Returns the number of bytes read, 0 if there is none. A value out of range
 * reads as infinity or zero, correctly rounded otherwise. */
size_t number_parse(const char *text, size_t length, double *ret_value);

#ifdef __cplusplus
}
#endif
#endif
