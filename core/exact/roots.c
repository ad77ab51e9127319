/* The number of roots of det P(s) on each side of a line (E. J. Routh, A. Hurwitz), in balls.
 *
 * The polynomial is interpolated between its values at numbers that are unlikely to be roots,
 * because a determinant that vanishes has a wide ball. The known zero roots are divided out, and s
 * becomes s + line. In Routh's scheme each change of sign in the first column is a root on the
 * right. */
#include "core/base/stop_token.h"
#include "core/exact/ball.h"

typedef struct Roots {
    const ExactPencil *pencil;
    double line;
    ExactRoots *result;
} Roots;

static void evaluate(const Balls *b, size_t size, const arb_t s, arb_t ret)
{
    const size_t block = size * size;
    arb_mat_t P;

    arb_mat_init(P, (slong)size, (slong)size);
    for (size_t k = 0; k < block; k++) {
        arb_ptr sum = arb_mat_entry(P, (slong)(k / size), (slong)(k % size));
        arb_mul(sum, balls_term(b, 2 * block + k), s, b->bits);
        arb_add(sum, sum, balls_term(b, block + k), b->bits);
        arb_mul(sum, sum, s, b->bits);
        arb_add(sum, sum, balls_term(b, k), b->bits);
    }
    arb_mat_det(ret, P, b->bits);
    arb_mat_clear(P);
}

static Status interpolate(const Balls *b, const ExactPencil *pencil, arb_poly_t ret, Error *err)
{
    const slong n = (slong)pencil->degree + 1;
    const ExactProblem *problem = &pencil->problem;
    const size_t size = pencil->size;
    arb_ptr x = _arb_vec_init(n), y = _arb_vec_init(n);
    Status status = OK;

    /* the points (256 j + 95) / 256 */
    for (slong k = 0; status == OK && k < n; k++) {
        arb_set_si(x + k, 256 * (k - n / 2) + 95);
        arb_mul_2exp_si(x + k, x + k, -8);
        (void)stop_token_spend(balls_work(b, size * size * size), NULL);
        evaluate(b, size, x + k, y + k);
        status = problem->poll ? problem->poll(problem->self, err) : OK;
    }
    arb_poly_interpolate_newton(ret, x, y, n, b->bits);
    _arb_vec_clear(x, n);
    _arb_vec_clear(y, n);
    return status;
}

/* A row of the scheme from the two before it, whose first entries are not zero. */
static void next_row(arb_srcptr a, arb_srcptr b, slong n, slong bits, arb_ptr ret)
{
    arb_t factor;

    arb_init(factor);
    arb_div(factor, a, b, bits);
    for (slong k = 0; k + 1 < n; k++) {
        arb_set(ret + k, a + k + 1);
        arb_submul(ret + k, factor, b + k + 1, bits);
    }
    arb_zero(ret + n - 1);
    arb_clear(factor);
}

/* Counts the changes of sign; false if a sign is not proved. */
static bool count(const arb_poly_t poly, slong degree, slong bits, size_t *ret_changes)
{
    const slong n = degree / 2 + 2;
    arb_ptr rows[3];
    bool proved = true;

    *ret_changes = 0;
    for (size_t i = 0; i < 3; i++)
        rows[i] = _arb_vec_init(n);
    /* the first two rows are the even and odd coefficients */
    for (slong k = 0; k <= degree; k++)
        arb_poly_get_coeff_arb(rows[k % 2] + k / 2, poly, degree - k);
    /* each further row replaces the oldest of three */
    for (slong k = 0; proved && k <= degree; k++) {
        arb_srcptr before = rows[(k + 2) % 3], now = rows[k % 3];
        proved = arb_is_finite(now) && arb_is_nonzero(now);
        *ret_changes += proved && k > 0 && arb_is_positive(before) != arb_is_positive(now);
        if (proved && k > 0 && k < degree)
            next_row(before, now, n, bits, rows[(k + 1) % 3]);
    }
    for (size_t i = 0; i < 3; i++)
        _arb_vec_clear(rows[i], n);
    return proved;
}

static void conclude(const Roots *q, arb_poly_t poly, slong bits)
{
    const ExactPencil *pencil = q->pencil;
    const slong degree = (slong)(pencil->degree - pencil->zeros);
    size_t changes = 0;
    arb_t line;

    arb_init(line);
    arb_poly_shift_right(poly, poly, (slong)pencil->zeros);
    arb_set_d(line, q->line);
    arb_poly_taylor_shift(poly, poly, line, bits);
    if (count(poly, degree, bits, &changes))
        *q->result = (ExactRoots){.counted = true,
                                  .left = (size_t)degree - changes,
                                  .right = changes,
                                  .bits = (unsigned)bits};
    arb_clear(line);
}

/* Whether the work is afforded: one piece for each determinant, one for the polynomial. */
static bool det_is_small(const Balls *b, const ExactPencil *pencil)
{
    const size_t size = pencil->size, degree = pencil->degree;
    return balls_afford(b, size * size * size) && balls_afford(b, 4 * degree * degree);
}

/* Counts if the point exists and the determinant is affordable. */
static Status answer(void *self, Balls *b, bool placed, bool *ret_answered, Error *err)
{
    const Roots *q = self;
    const bool small = det_is_small(b, q->pencil);
    Status status = OK;

    if (placed && small) {
        arb_poly_t poly;
        arb_poly_init(poly);
        status = interpolate(b, q->pencil, poly, err);
        if (status == OK)
            conclude(q, poly, b->bits);
        arb_poly_clear(poly);
    } else {
        q->result->why = placed ? "it is of a matrix too large for its determinant in balls"
                                : "it belongs to a point that no ball encloses";
    }
    *ret_answered = q->result->counted;
    return status;
}

Status exact_roots(const ExactPencil *pencil, double line, ExactRoots *ret, Error *err)
{
    Roots roots = {.pencil = pencil, .line = line, .result = ret};
    const BallQuestion question = {.problem = &pencil->problem,
                                   .bits = 256,
                                   .most_bits = EXACT_MAX_BITS,
                                   .answer = answer,
                                   .self = &roots,
                                   .why = &ret->why};

    *ret = (ExactRoots){.why = "it has roots too near the line"};
    if (pencil->zeros > pencil->degree) {
        ret->why = "it has fewer roots";
        return OK;
    }
    return balls_ask(&question, err);
}
