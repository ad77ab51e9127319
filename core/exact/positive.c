/* Forms that are positive definite on the null space of some rows, in balls.
 *
 * H is positive definite on ker R if and only if H + R^T D R is positive definite for some diagonal
 * D (P. Finsler, 1937). A Cholesky factorization in balls proves the latter. */
#include "core/exact/ball.h"

typedef struct Positive {
    size_t n, r;
    bool *result;
} Positive;

/* The largest magnitude of n terms from the first on. */
static void largest(const Balls *b, size_t first, size_t n, mag_t ret)
{
    mag_t one;

    mag_init(one);
    mag_zero(ret);
    for (size_t k = first; k < first + n; k++) {
        arb_get_mag(one, balls_term(b, k));
        mag_max(ret, ret, one);
    }
    mag_clear(one);
}

/* Adds a row's square with a weight that makes it large relative to the form. */
static void add_row(const Balls *b, size_t n, size_t row, const mag_t form, arb_mat_t H)
{
    const size_t first = n * n + row * n;
    mag_t size;
    arb_t weight, part;

    mag_init(size);
    arb_init(weight);
    arb_init(part);
    /* weight = form / row^2 * 2^(bits/4) */
    largest(b, first, n, size);
    mag_mul(size, size, size);
    mag_div(size, form, size);
    arf_set_mag(arb_midref(weight), size);
    arb_mul_2exp_si(weight, weight, b->bits / 4);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            arb_mul(part, balls_term(b, first + i), balls_term(b, first + j), b->bits);
            arb_addmul(arb_mat_entry(H, (slong)i, (slong)j), part, weight, b->bits);
        }
    arb_clear(weight);
    arb_clear(part);
    mag_clear(size);
}

/* Factors the symmetric part of the form plus the rows' squares. */
static bool is_positive(const Balls *b, size_t n, size_t r)
{
    arb_mat_t H;
    mag_t form;

    if (!balls_afford(b, n * n * (n + 2 * r)))
        return false;

    arb_mat_init(H, (slong)n, (slong)n);
    mag_init(form);
    largest(b, 0, n * n, form);
    if (mag_is_zero(form)) /* a zero form is definite if the rows have full rank */
        mag_one(form);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            arb_ptr sum = arb_mat_entry(H, (slong)i, (slong)j);
            arb_add(sum, balls_term(b, i * n + j), balls_term(b, j * n + i), b->bits);
            arb_mul_2exp_si(sum, sum, -1);
        }
    for (size_t row = 0; row < r; row++)
        add_row(b, n, row, form, H);
    const bool positive = arb_mat_cho(H, H, b->bits);
    arb_mat_clear(H);
    mag_clear(form);
    return positive;
}

static Status prove(void *self, Balls *b, bool placed, bool *ret_answered, Error *err)
{
    const Positive *q = self;

    (void)err;
    *ret_answered = *q->result = placed && is_positive(b, q->n, q->r);
    return OK;
}

Status exact_positive(const ExactProblem *problem, size_t n, size_t r, bool *ret, Error *err)
{
    Positive positive = {.n = n, .r = r, .result = ret};
    const BallQuestion question = {
        .problem = problem, .bits = 256, .most_bits = 1024, .answer = prove, .self = &positive};

    *ret = false;
    return balls_ask(&question, err);
}
