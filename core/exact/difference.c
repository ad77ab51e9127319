/* Proofs that sums do not vanish: a ball at a point of the equations that does not contain zero. */
#include "core/exact/ball.h"

static Status leave_out_zero(void *self, Balls *b, bool placed, bool *ret_answered, Error *err)
{
    ExactResult *result = self;
    arb_t sum;

    (void)err;
    arb_init(sum);
    for (size_t k = 0; k < b->steps->n_terms; k++)
        arb_add(sum, sum, balls_term(b, k), b->bits);
    *ret_answered = placed && arb_is_finite(sum) && arb_is_nonzero(sum);
    if (*ret_answered)
        *result = (ExactResult){.answer = EXACT_NONZERO,
                                .bits = (unsigned)b->bits,
                                .value = arf_get_d(arb_midref(sum), ARF_RND_NEAR)};
    arb_clear(sum);
    return OK;
}

Status exact_difference(const ExactProblem *problem, ExactResult *ret, Error *err)
{
    const BallQuestion question = {.problem = problem,
                                   .bits = 128,
                                   .most_bits = EXACT_MAX_BITS,
                                   .answer = leave_out_zero,
                                   .self = ret,
                                   .why = &ret->why};

    *ret = (ExactResult){.why = "no ball around it leaves out zero"};
    return balls_ask(&question, err);
}

Status exact_differs(const ExactProblem *problem, Expr term, bool *ret, Error *err)
{
    const ExactProblem own = exact_about(problem, &term, 1);
    ExactResult result = {0};
    Status status = exact_difference(&own, &result, err);

    *ret = status == OK && result.answer == EXACT_NONZERO;
    return status;
}

Status exact_value(const ExactProblem *problem, Expr term, double *ret, bool *ret_known, Error *err)
{
    const ExactProblem own = exact_about(problem, &term, 1);
    ExactResult result = {0};
    Status status = OK;

    if (!expr_vanishes(problem->pool, term))
        status = exact_difference(&own, &result, err);
    *ret = status == OK && result.answer == EXACT_NONZERO ? result.value : 0;
    *ret_known = *ret != 0;
    return status == OK && !*ret_known
               ? exact_vanishes(problem, problem->n_stages, &term, 1, ret_known, err)
               : status;
}
