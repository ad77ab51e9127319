/* The sign of quasi-homogeneous polynomials. With weights w, the change x_i -> t^w_i x_i multiplies
 * the value by a power of t. So the faces of the cube, max |x_i| = 1, show all signs. Boxes of the
 * faces are halved until a ball shows the sign on each, by its value or by the mean value form. */
#include <math.h>

#include "core/base/stop_token.h"
#include "core/exact/ball.h"

/* Limits on boxes and halvings; precision of the polynomial and of the point. */
enum { MOST_BOXES = 20000, MOST_HALVINGS = 40, BITS = 128, PLACE_BITS = 256 };

/* The box middle[i] +- radius[i], powers of two. */
typedef struct Box {
    double middle[EXACT_MAX_FORM], radius[EXACT_MAX_FORM];
} Box;

typedef struct Form {
    size_t n, n_terms;
    const unsigned *exponents; /* [n_terms][n] */
    const Balls *balls;
    Box *boxes; /* the remaining boxes of a face; the last comes next */
    size_t n_boxes;
    ExactSign *result;
} Form;

/* The polynomial, or its derivative by x_by (`by` = n: none), at x. */
static void evaluate(const Form *q, arb_srcptr x, size_t by, arb_t ret)
{
    arb_t part, power;

    arb_init(part);
    arb_init(power);
    arb_zero(ret);
    for (size_t k = 0; k < q->n_terms; k++) {
        const unsigned *exponents = q->exponents + k * q->n;
        const unsigned times = by < q->n ? exponents[by] : 1;
        if (times == 0)
            continue;
        arb_mul_ui(part, balls_term(q->balls, k), times, BITS);
        for (size_t i = 0; i < q->n; i++) {
            arb_pow_ui(power, x + i, exponents[i] - (i == by), BITS);
            /* an even power is not negative */
            if ((exponents[i] - (i == by)) % 2 == 0)
                arb_nonnegative_part(power, power);
            arb_mul(part, part, power, BITS);
        }
        arb_add(ret, ret, part, BITS);
    }
    arb_clear(part);
    arb_clear(power);
}

/* Encloses by the value at the middle and the slopes in the box. */
static void evaluate_from_middle(const Form *q, const Box *box, arb_srcptr x, const arb_t middle,
                                 arb_t ret)
{
    arb_t slope, step;

    arb_init(slope);
    arb_init(step);
    arb_set(ret, middle);
    for (size_t i = 0; i < q->n; i++) {
        if (box->radius[i] == 0)
            continue;
        /* the slope in x_i times [-radius, radius] */
        evaluate(q, x, i, slope);
        arb_zero(step);
        mag_set_d(arb_radref(step), box->radius[i]);
        arb_addmul(ret, slope, step, BITS);
    }
    arb_clear(slope);
    arb_clear(step);
}

/* EXACT_POSITIVE: everywhere in the box; EXACT_NEGATIVE: at its middle. */
static ExactSign look(const Form *q, const Box *box)
{
    arb_ptr x = _arb_vec_init((slong)q->n), at = _arb_vec_init((slong)q->n);
    arb_t value, middle;
    ExactSign sign = EXACT_NO_SIGN;

    arb_init(value);
    arb_init(middle);
    for (size_t i = 0; i < q->n; i++) {
        arb_set_d(at + i, box->middle[i]);
        arb_set(x + i, at + i);
        mag_set_d(arb_radref(x + i), box->radius[i]);
    }
    /* the value in the box decides, else the mean value form */
    evaluate(q, x, q->n, value);
    if (!arb_is_positive(value)) {
        evaluate(q, at, q->n, middle);
        sign = arb_is_negative(middle) ? EXACT_NEGATIVE : EXACT_NO_SIGN;
        evaluate_from_middle(q, box, x, middle, value);
    }
    if (sign == EXACT_NO_SIGN && arb_is_positive(value))
        sign = EXACT_POSITIVE;
    _arb_vec_clear(x, (slong)q->n);
    _arb_vec_clear(at, (slong)q->n);
    arb_clear(value);
    arb_clear(middle);
    return sign;
}

/* Halves the last box across its longest side; false if it is too small. */
static bool halve(Form *q)
{
    Box *box = &q->boxes[q->n_boxes - 1], *other = box + 1;
    size_t longest = 0;

    for (size_t i = 0; i < q->n; i++)
        if (box->radius[i] > box->radius[longest])
            longest = i;
    const double radius = box->radius[longest] / 2;
    if (!(radius > ldexp(1, -MOST_HALVINGS)))
        return false;
    box->radius[longest] = radius;
    *other = *box;
    box->middle[longest] -= radius;
    other->middle[longest] += radius;
    q->n_boxes++;
    return true;
}

/* Decides the sign on one face of the cube, box by box. */
static ExactSign look_at_face(Form *q, size_t i, double side, size_t *looked)
{
    ExactSign sign = EXACT_POSITIVE;

    q->n_boxes = 1;
    for (size_t j = 0; j < q->n; j++) {
        q->boxes[0].middle[j] = j == i ? side : 0;
        q->boxes[0].radius[j] = j == i ? 0 : 1;
    }
    while (q->n_boxes && sign == EXACT_POSITIVE) {
        const uint64_t work = balls_work(q->balls, (q->n + 2) * (q->n + 2) * q->n_terms);
        sign = look(q, &q->boxes[q->n_boxes - 1]);
        q->n_boxes -= sign == EXACT_POSITIVE;
        if (sign == EXACT_NO_SIGN && ++*looked < MOST_BOXES && stop_token_spend(work, NULL) == OK &&
            halve(q))
            sign = EXACT_POSITIVE;
    }
    return sign;
}

static Status look_around(void *self, Balls *b, bool placed, bool *ret_answered, Error *err)
{
    Form *q = self;
    size_t looked = 0;

    (void)err;
    q->balls = b;
    *q->result = placed ? EXACT_POSITIVE : EXACT_NO_SIGN;
    /* one negative value is enough, even if other faces are undecided */
    for (size_t face = 0; placed && *q->result != EXACT_NEGATIVE && face < 2 * q->n; face++) {
        const ExactSign sign = look_at_face(q, face / 2, face % 2 ? -1 : 1, &looked);
        *q->result = sign == EXACT_POSITIVE ? *q->result : sign;
    }
    *ret_answered = true;
    return OK;
}

Status exact_form(const ExactProblem *problem, size_t n, const unsigned *exponents, ExactSign *ret,
                  Error *err)
{
    Arena scratch = {0};
    /* depth first: a halving leaves one box behind, so this many are enough */
    Form form = {.n = n,
                 .n_terms = problem->n_terms,
                 .exponents = exponents,
                 .boxes = ARENA_NEW(&scratch, MOST_HALVINGS * EXACT_MAX_FORM + 1, Box),
                 .result = ret};
    const BallQuestion question = {.problem = problem,
                                   .bits = PLACE_BITS,
                                   .most_bits = PLACE_BITS,
                                   .answer = look_around,
                                   .self = &form};
    Status status = arena_status(&scratch, err);

    *ret = EXACT_NO_SIGN;
    if (status == OK && n > 0 && n <= EXACT_MAX_FORM)
        status = balls_ask(&question, err);
    arena_done(&scratch);
    return status;
}
