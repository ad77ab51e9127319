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

Status exact_difference(const ExactProblem *problem, const double *symbols, size_t n_symbols,
                        ExactResult *ret, Error *err)
{
    const BallQuestion question = {.problem = problem,
                                   .symbols = symbols,
                                   .n_symbols = n_symbols,
                                   .bits = 128,
                                   .most_bits = EXACT_MAX_BITS,
                                   .answer = leave_out_zero,
                                   .self = ret};

    *ret = (ExactResult){.why = "no ball around it leaves out zero"};
    return balls_ask(&question, &ret->why, err);
}

Status exact_differs(const ExactProblem *problem, Expr term, const double *symbols,
                     size_t n_symbols, bool *ret, Error *err)
{
    ExactProblem own = *problem;
    ExactResult result = {0};

    own.terms = &term;
    own.n_terms = 1;
    Status status = exact_difference(&own, symbols, n_symbols, &result, err);
    *ret = status == OK && result.answer == EXACT_NONZERO;
    return status;
}

Status exact_value(const ExactProblem *problem, Expr term, const double *symbols, size_t n_symbols,
                   double *ret, bool *ret_known, Error *err)
{
    ExactProblem own = *problem;
    ExactResult result = {0};
    Status status = OK;

    own.terms = &term;
    own.n_terms = 1;
    if (!expr_vanishes(problem->pool, term))
        status = exact_difference(&own, symbols, n_symbols, &result, err);
    *ret = status == OK && result.answer == EXACT_NONZERO ? result.value : 0;
    *ret_known = *ret != 0;
    return status == OK && !*ret_known
               ? exact_vanishes(problem, problem->n_stages, &term, 1, ret_known, err)
               : status;
}
