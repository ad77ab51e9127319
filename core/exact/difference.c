/* Proofs that sums do not vanish: a ball at a point of the equations that does not contain zero.
 * The precision grows until there is such a ball or the limit is reached. */
#include <stdlib.h>

#include "core/exact/ball.h"
#include "core/exact/guard.h"

static const slong BITS[] = {128, 512, EXACT_MAX_BITS};

typedef struct Difference {
    const ExactProblem *problem;
    const double *symbols;
    size_t n_symbols;
    Steps steps;
    Balls balls;
    ExactResult *result;
} Difference;

/* Moves the point onto the equations and encloses the sum. */
static Status enclose(Difference *q, arb_t ret_sum, Error *err)
{
    Balls *b = &q->balls;
    bool placed;
    Status status = balls_place(b, q->problem, q->symbols, q->n_symbols, &placed, err);

    arb_zero(ret_sum);
    for (size_t k = 0; k < q->steps.n_terms; k++)
        arb_add(ret_sum, ret_sum, b->value + q->steps.terms[k], b->bits);
    if (!placed)
        arb_indeterminate(ret_sum);
    return status;
}

static Status try_bits(Difference *q, slong bits, Error *err)
{
    arb_t sum;

    balls_init(&q->balls, &q->steps, bits);
    arb_init(sum);
    Status status = enclose(q, sum, err);
    if (status == OK && arb_is_finite(sum) && arb_is_nonzero(sum))
        *q->result = (ExactResult){.answer = EXACT_NONZERO,
                                   .bits = (unsigned)bits,
                                   .value = arf_get_d(arb_midref(sum), ARF_RND_NEAR)};
    arb_clear(sum);
    balls_done(&q->balls);
    return status;
}

static Status ask(void *self, Error *err)
{
    Difference *q = self;
    Status status = steps_init(&q->steps, q->problem, false, err);

    *q->result = (ExactResult){.why = "no ball around it leaves out zero"};
    if (status == OK && q->steps.why)
        q->result->why = q->steps.why;
    for (size_t k = 0; status == OK && !q->steps.why && k < sizeof BITS / sizeof *BITS &&
                       q->result->answer == EXACT_UNKNOWN;
         k++)
        status = try_bits(q, BITS[k], err);
    steps_done(&q->steps);
    return status;
}

Status exact_difference(const ExactProblem *problem, const double *symbols, size_t n_symbols,
                        ExactResult *ret, Error *err)
{
    Difference question = {
        .problem = problem, .symbols = symbols, .n_symbols = n_symbols, .result = ret};
    return guard_call(ask, &question, err);
}
