/* The sine and cosine of programs, if there are FMA instructions: the constants of the computation.
 * vec_sines.h does it in C and native/sines.c in machine code, operation for operation. Therefore
 * the bits are the same for one lane and for any number of lanes.
 *
 * The nearest whole number n of quarter turns is subtracted from x (W. J. Cody, W. Waite, Software
 * Manual for the Elementary Functions, 1980, section 8.1). Half pi is the sum of three doubles. n
 * times the first is subtracted without rounding, because the difference is a multiple of the last
 * bit of both and below 1. The rounding error of n times the second is added to n times the third.
 * The remainder is r + rest, the exact angle to 2^-100. The sine of r is r + r^3 S(r^2), the cosine
 * 1 - r^2 / 2 + r^4 C(r^2). The rounding error of 1 - r^2 / 2, and the rest times the derivative,
 * are added to the small terms. The last sum rounds a term of the result's size and one of at most
 * half of it: errors are at most SINES_ULPS units in the last place
 * (tests/core/program/test_functions.c).
 *
 * S and C are SLEEF's polynomials (sincosd1_u10; N. Shibata, F. Petrogalli, IEEE Trans. Parallel
 * Distrib. Syst. 31 (2020) 1316). For magnitudes from SINES_MOST on SLEEF itself is called. */
#ifndef CORE_PROGRAM_VECTOR_SINES_H
#define CORE_PROGRAM_VECTOR_SINES_H

#define SINES_MOST 0x1p30
/* Largest error in ulps. Measured. */
#define SINES_ULPS 0.85
#define SINES_TWO_OVER_PI 0x1.45f306dc9c883p-1
/* Added to a number below 2^51, it rounds to an integer, with its last bits in the sum. */
#define SINES_WHOLE 0x1.8p52

enum { SINES_PARTS = 3, SINES_TERMS = 6 };
/* -pi/2, in three parts. */
#define SINES_PARTS_LIST(ITEM) \
    ITEM(-0x1.921fb54442d18p+0), ITEM(-0x1.1a62633145c07p-54), ITEM(0x1.f1976b7ed8fbcp-110)
/* Coefficients from the lowest power on. */
#define SINES_SINE_LIST(ITEM)                                                              \
    ITEM(-0x1.5555555555542p-3), ITEM(0x1.111111110f135p-7), ITEM(-0x1.a01a019b64f6ap-13), \
        ITEM(0x1.71de3503eae9cp-19), ITEM(-0x1.ae5e1e6f6f6d8p-26), ITEM(0x1.5d82500becb6bp-33)
#define SINES_COSINE_LIST(ITEM)                                                            \
    ITEM(0x1.5555555555545p-5), ITEM(-0x1.6c16c16c14c96p-10), ITEM(0x1.a01a019c8f025p-16), \
        ITEM(-0x1.27e4f8130be9cp-22), ITEM(0x1.1eea016409f05p-29), ITEM(-0x1.8fbf9c1bdb8cep-37)

#endif
