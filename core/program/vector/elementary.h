/* How accurate the functions of a program are.
 *
 * + - * / and sqrt are IEEE 754: correctly rounded, in the order the program has them. abs, sign,
 * min, max and comparisons are exact: sign(0) is 0, and abs, sign, min and max give NaN when an
 * operand is NaN; a comparison with NaN is false.
 *
 * Sine and cosine are our own where the CPU has AVX2 and FMA (sines.h). All others are SLEEF's
 * reproducible functions (N. Shibata, F. Petrogalli, IEEE Trans. Parallel Distrib. Syst. 31 (2020)
 * 1316), the family with FMA instructions where the CPU has AVX2 and FMA,
 * else the one without. The two may differ in the last bit; within one machine every number of
 * lanes gives the same bits. Their error is at most PROGRAM_FUNCTION_ULPS units in the last
 * place of the result, with these exceptions, all far out:
 *
 *   sinh, cosh     infinite from |x| = 709.79 on (exact: from 710.48)
 *   asinh, acosh   infinite from |x| = 1.4e154 on (exact: at most 711)
 *   tan, asinh     results below the normal range, 2.3e-308, have fewer bits or are 0
 *
 * Which NaN comes out (its sign and payload) is not defined. */
#ifndef CORE_PROGRAM_VECTOR_ELEMENTARY_H
#define CORE_PROGRAM_VECTOR_ELEMENTARY_H

/* Largest error in ulps. Measured. */
#define PROGRAM_FUNCTION_ULPS 1.0

#endif
