/* The operations of a program, and how one is stored. Private to core/program and the benchmark.
 *
 * Every elementwise operation is one line of PROGRAM_OP_LIST: name, number of operands, and its
 * meaning as a C expression in the operands a, b, c, ... The expression is compiled by the
 * interpreters for a scalar and for vectors, and printed by the benchmark, so the meaning is
 * written once. An operation of several roundings performs them one after the other in the order
 * written: fused operations save dispatch and memory traffic, they change no bit. */
#ifndef CORE_PROGRAM_INSTRUCTION_H
#define CORE_PROGRAM_INSTRUCTION_H

#include <stddef.h>
#include <stdint.h>

#define PROGRAM_BASIC_LIST(X)                      \
    X(ADD, 2, a + b)                               \
    X(SUB, 2, a - b)                               \
    X(MUL, 2, a *b)                                \
    X(DIV, 2, a / b)                               \
    X(NEG, 1, -a)                                  \
    X(SQRT, 1, vec_sqrt(a))                        \
    X(ABS, 1, vec_abs(a))                          \
    X(SIGN, 1, vec_sign(a))                        \
    X(MIN, 2, vec_min(a, b))                       \
    X(MAX, 2, vec_max(a, b))                       \
    X(LT, 2, vec_less(a, b))                       \
    X(LE, 2, vec_less_equal(a, b))                 \
    X(EQ, 2, vec_equal(a, b))                      \
    X(NOT, 1, 1.0 - a) /* conditions are 0 or 1 */ \
    X(AND, 2, a *b)                                \
    X(OR, 2, vec_max(a, b))                        \
    X(IF, 3, vec_if(a, b, c))

#define PROGRAM_FUNCTION_LIST(X) \
    X(SIN, 1, vec_sin(a))        \
    X(COS, 1, vec_cos(a))        \
    X(TAN, 1, vec_tan(a))        \
    X(ASIN, 1, vec_asin(a))      \
    X(ACOS, 1, vec_acos(a))      \
    X(ATAN, 1, vec_atan(a))      \
    X(SINH, 1, vec_sinh(a))      \
    X(COSH, 1, vec_cosh(a))      \
    X(TANH, 1, vec_tanh(a))      \
    X(ASINH, 1, vec_asinh(a))    \
    X(ACOSH, 1, vec_acosh(a))    \
    X(ATANH, 1, vec_atanh(a))    \
    X(EXP, 1, vec_exp(a))        \
    X(LOG, 1, vec_log(a))        \
    X(LOG10, 1, vec_log10(a))    \
    X(CBRT, 1, vec_cbrt(a))      \
    X(ERF, 1, vec_erf(a))        \
    X(ATAN2, 2, vec_atan2(a, b)) \
    X(POW, 2, vec_pow(a, b))     \
    X(HYPOT, 2, vec_hypot(a, b))

#define PROGRAM_FUSED_LIST(X)                 \
    /* a product and a term */                \
    X(MUL_ADD, 3, c + a * b)                  \
    X(MUL_SUB, 3, a *b - c)                   \
    X(SUB_MUL, 3, c - a * b)                  \
    X(MUL3_ADD, 4, d + a * b * c)             \
    X(MUL3_SUB, 4, a *b *c - d)               \
    X(SUB_MUL3, 4, d - a * b * c)             \
    /* two products */                        \
    X(DOT2, 4, a *b + c * d)                  \
    X(CROSS2, 4, a *b - c * d)                \
    X(DOT32, 5, a *b *c + d * e)              \
    X(CROSS32, 5, a *b *c - d * e)            \
    X(CROSS23, 5, d *e - a * b * c)           \
    X(DOT33, 6, a *b *c + d * e * f)          \
    X(CROSS33, 6, a *b *c - d * e * f)        \
    /* two products and a term */             \
    X(DOT2_ADD, 5, e + c * d + a * b)         \
    X(ADD_CROSS, 5, e + c * d - a * b)        \
    X(SUB_CROSS, 5, e - c * d + a * b)        \
    X(SUB_DOT2, 5, e - c * d - a * b)         \
    /* three products */                      \
    X(DOT3, 6, c *d + e * f + a * b)          \
    X(DOT2_SUB, 6, c *d + e * f - a * b)      \
    X(CROSS2_ADD, 6, c *d - e * f + a * b)    \
    X(CROSS2_SUB, 6, c *d - e * f - a * b)    \
    /* sums and products of plain operands */ \
    X(ADD3, 3, a + b + c)                     \
    X(ADD_SUB, 3, a + b - c)                  \
    X(SUB_ADD, 3, a - b + c)                  \
    X(SUB_SUB, 3, a - b - c)                  \
    X(MUL3, 3, a *b *c)                       \
    X(MUL4, 4, a *b *c *d)                    \
    X(NEG_MUL, 2, -(a * b))                   \
    X(NEG_MUL3, 3, -(a * b * c))              \
    /* sums times an operand */               \
    X(ADD_MUL, 3, (a + b) * c)                \
    X(DIFF_MUL, 3, (a - b) * c)               \
    X(MUL_ADD_MUL, 4, (c + a * b) * d)        \
    X(MUL_SUB_MUL, 4, (a * b - c) * d)        \
    X(SUB_MUL_MUL, 4, (c - a * b) * d)        \
    X(DOT2_MUL, 5, (a * b + c * d) * e)       \
    X(CROSS2_MUL, 5, (a * b - c * d) * e)     \
    X(MUL_DIV, 3, a *b / c)

#define PROGRAM_OP_LIST(X) PROGRAM_BASIC_LIST(X) PROGRAM_FUNCTION_LIST(X) PROGRAM_FUSED_LIST(X)

typedef enum ProgramOp {
#define PROGRAM_OP_ENUM(name, operands, expression) OP_##name,
    PROGRAM_OP_LIST(PROGRAM_OP_ENUM)
#undef PROGRAM_OP_ENUM
        OP_SINCOS, /* two rows: sine, cosine of one operand */
    OP_FACTOR,     /* a block of factor_rows(n) rows from the n * n rows of a list */
    OP_SOLVE,      /* n rows from the n rows of a list and a factor's block */
    OP_END,        /* of an instruction sequence */
    /* on the tape only: */
    OP_CONST, /* a number */
    OP_PARAM, /* a row of program_bind */
    OP_INPUT, /* a row of program_eval */
    OP_PART,  /* a row of an operation that has several */
} ProgramOp;

enum { PROGRAM_MAX_OPERANDS = 6 };

/* The number of operands of an elementwise operation, and of OP_SINCOS. */
#define PROGRAM_OPERANDS_ROW(name, operands, expression) [OP_##name] = (operands),
static const uint8_t PROGRAM_OPERANDS[OP_END] = {
    PROGRAM_OP_LIST(PROGRAM_OPERANDS_ROW)[OP_SINCOS] = 1,
};

/* An instruction: operands and results are row numbers. FACTOR: arg[0] is the start of its operand
 * rows in the program's lists, arg[1] is n, arg[2] a first scratch row of rcond_rows(), or
 * PROGRAM_NO_ROW if the condition number is unused, arg[3] 0, or 1 + r for a saddle-point matrix.
 * SOLVE: arg[0] and arg[1] likewise, arg[2] the first row of the factor. */
typedef struct Instruction {
    uint32_t op, result;
    uint32_t arg[PROGRAM_MAX_OPERANDS];
} Instruction;

#define PROGRAM_NO_ROW UINT32_MAX

/* A factor's block: rows of L and U, scales of rows and columns, pivots (row numbers), rcond. */
static inline uint32_t factor_rows(uint32_t n)
{
    return n * n + 3 * n + 1;
}

static inline uint32_t rcond_rows(uint32_t n, uint32_t scaling)
{
    return scaling ? n * n + 2 * n : n;
}

/* The places of the rows of a run. One lane: row k is first[k], and the table is not used. Lanes:
 * row k starts at table[k]; the rows of a block are contiguous. */
typedef struct Rows {
    double *first;
    double **table;
} Rows;

/* Instructions up to OP_END, and the lists that they refer to. Both belong to the program. */
typedef struct ProgramSequence {
    const Instruction *code;
    const uint32_t *lists;
} ProgramSequence;

#endif
