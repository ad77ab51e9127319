/* Identities by evaluation over prime fields: a sum that vanishes at all points of a survey. */
#include "core/exact/survey.h"

typedef struct Identity {
    ExactResult *result;
    bool nonzero;
} Identity;

static bool look(void *self, const Point *p, size_t copy)
{
    Identity *q = self;
    mp_limb_t sum = 0;

    (void)copy;
    for (size_t k = 0; k < p->steps->n_terms; k++)
        sum = nmod_add(sum, p->value[p->steps->terms[k]], p->field.mod);
    q->nonzero = sum != 0;
    return !q->nonzero;
}

/* Not decided, nonzero at some point, or zero at all points. */
static Status conclude(void *self, const Survey *survey, bool *ret_again, Error *err)
{
    Identity *q = self;
    ExactResult *ret = q->result;
    Status status = OK;

    *ret = (ExactResult){
        .points = survey->points, .primes = survey->primes, .why = survey_doubt(survey)};
    if (!ret->why && !q->nonzero)
        status = survey_chance(survey, 1, &ret->chance, &ret->why, err);
    if (!ret->why)
        ret->answer = q->nonzero ? EXACT_NONZERO : EXACT_ZERO;
    *ret_again = ret->answer == EXACT_NONZERO;
    q->nonzero = false;
    return status;
}

Status exact_identity(const ExactProblem *problem, ExactResult *ret, Error *err)
{
    Identity identity = {.result = ret};
    const Survey question = {
        .problem = problem, .look = look, .conclude = conclude, .self = &identity, .copies = 1};
    return survey_ask(&question, err);
}

ExactProblem exact_about(const ExactProblem *problem, const Expr *terms, size_t n_terms)
{
    ExactProblem own = *problem;

    own.terms = terms;
    own.n_terms = n_terms;
    return own;
}

Status exact_vanishes(const ExactProblem *problem, size_t n_stages, const Expr *terms,
                      size_t n_terms, bool *ret, Error *err)
{
    ExactProblem own = exact_about(problem, terms, n_terms);
    ExactResult result = {.answer = EXACT_ZERO};
    Status status = OK;

    own.n_stages = n_stages;
    *ret = true;
    for (size_t k = 0; *ret && k < n_terms; k++)
        *ret = expr_vanishes(problem->pool, terms[k]);
    if (!*ret)
        status = exact_identity(&own, &result, err);
    *ret = status == OK && result.answer == EXACT_ZERO;
    return status;
}
