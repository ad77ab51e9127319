/* Forms that are positive definite on the null space of some rows, in balls.
 *
 * H is positive definite on ker R if and only if H + R^T D R is positive definite for some diagonal
 * D (P. Finsler, 1937). A Cholesky factorization in balls proves the latter. */
#include "core/exact/arb.h"
#include "core/exact/ball.h"
#include "core/exact/guard.h"

static const slong BITS[] = {256, 1024};

typedef struct Positive {
    const ExactProblem *problem;
    size_t n, r;
    const double *symbols;
    size_t n_symbols;
    Steps steps;
    Balls balls;
    bool *result;
} Positive;

static arb_srcptr term(const Positive *q, size_t k)
{
    return q->balls.value + q->steps.terms[k];
}

/* The largest magnitude of n terms from the first on. */
static void largest(const Positive *q, size_t first, size_t n, mag_t ret)
{
    mag_t one;

    mag_init(one);
    mag_zero(ret);
    for (size_t k = first; k < first + n; k++) {
        arb_get_mag(one, term(q, k));
        mag_max(ret, ret, one);
    }
    mag_clear(one);
}

/* Adds a row's square with a weight that makes it large relative to the form. */
static void add_row(const Positive *q, size_t row, const mag_t form, arb_mat_t H)
{
    const size_t n = q->n, first = n * n + row * n;
    const slong bits = q->balls.bits;
    mag_t size;
    arb_t weight, part;

    mag_init(size);
    arb_init(weight);
    arb_init(part);
    /* weight = form / row^2 * 2^(bits/4) */
    largest(q, first, n, size);
    mag_mul(size, size, size);
    mag_div(size, form, size);
    arf_set_mag(arb_midref(weight), size);
    arb_mul_2exp_si(weight, weight, bits / 4);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            arb_mul(part, term(q, first + i), term(q, first + j), bits);
            arb_addmul(arb_mat_entry(H, (slong)i, (slong)j), part, weight, bits);
        }
    arb_clear(weight);
    arb_clear(part);
    mag_clear(size);
}

/* Factors the symmetric part of the form plus the rows' squares. */
static bool is_positive(const Positive *q)
{
    const size_t n = q->n;
    const slong bits = q->balls.bits;
    arb_mat_t H;
    mag_t form;

    if (!balls_afford(&q->balls, n * n * (n + 2 * q->r)))
        return false;

    arb_mat_init(H, (slong)n, (slong)n);
    mag_init(form);
    largest(q, 0, n * n, form);
    if (mag_is_zero(form)) /* a zero form is definite if the rows have full rank */
        mag_one(form);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            arb_ptr sum = arb_mat_entry(H, (slong)i, (slong)j);
            arb_add(sum, term(q, i * n + j), term(q, j * n + i), bits);
            arb_mul_2exp_si(sum, sum, -1);
        }
    for (size_t row = 0; row < q->r; row++)
        add_row(q, row, form, H);
    const bool positive = arb_mat_cho(H, H, bits);
    arb_mat_clear(H);
    mag_clear(form);
    return positive;
}

static Status ask(void *self, Error *err)
{
    Positive *q = self;
    Status status = steps_init(&q->steps, q->problem, false, err);

    *q->result = false;
    for (size_t k = 0;
         status == OK && !q->steps.why && !*q->result && k < sizeof BITS / sizeof *BITS; k++) {
        bool placed;
        balls_init(&q->balls, &q->steps, BITS[k]);
        status = balls_place(&q->balls, q->problem, q->symbols, q->n_symbols, &placed, err);
        *q->result = status == OK && placed && is_positive(q);
        balls_done(&q->balls);
    }
    steps_done(&q->steps);
    return status;
}

Status exact_positive(const ExactProblem *problem, size_t n, size_t r, const double *symbols,
                      size_t n_symbols,
                      bool *ret, /* NOLINT(readability-non-const-parameter): ask() writes it */
                      Error *err)
{
    Positive question = {.problem = problem,
                         .n = n,
                         .r = r,
                         .symbols = symbols,
                         .n_symbols = n_symbols,
                         .result = ret};
    return guard_call(ask, &question, err);
}
