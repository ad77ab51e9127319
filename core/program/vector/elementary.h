/* Accuracy of the functions of a program.
 *
 * + - * / and sqrt are IEEE 754: correctly rounded, in the order of the program. abs, sign, min,
 * max and comparisons are exact. sign(0) is 0. abs, sign, min and max give NaN if an operand is
 * NaN; a comparison with NaN is false.
 *
 * Sine and cosine are our own if the CPU has AVX2 and FMA (sines.h). All others are SLEEF's
 * reproducible functions (N. Shibata, F. Petrogalli, IEEE Trans. Parallel Distrib. Syst. 31 (2020)
 * 1316): the family with FMA instructions if the CPU has AVX2 and FMA, else the one without. The
 * two may differ in the last bit; within one machine every number of lanes gives the same bits.
 * Their error is at most PROGRAM_FUNCTION_ULPS units in the last place of the result, with these
 * exceptions for extreme arguments:
 *
 *    sinh, cosh     infinite from |x| = 709.79 on (exact: from 710.48)
 *    asinh, acosh   infinite from |x| = 1.4e154 on (exact: at most 711)
 *    tan, asinh     results below the normal range, 2.3e-308, have fewer bits or are 0
 *
 * The sign and payload of a NaN result are undefined. */
#ifndef CORE_PROGRAM_VECTOR_ELEMENTARY_H
#define CORE_PROGRAM_VECTOR_ELEMENTARY_H

/* Largest error in ulps. Measured. */
#define PROGRAM_FUNCTION_ULPS 1.0

#endif
