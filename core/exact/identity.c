/* Identities by evaluation over prime fields: a sum that vanishes at all points of a survey. */
#include "core/exact/guard.h"
#include "core/exact/survey.h"

typedef struct Identity {
    const ExactProblem *problem;
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

static Status conclude(const Identity *q, const Survey *survey, Error *err)
{
    ExactResult *ret = q->result;

    *ret = (ExactResult){.points = survey->points, .primes = survey->primes};
    /* not decided, nonzero at some point, or zero at all points */
    if (survey_doubt(survey)) {
        ret->why = survey_doubt(survey);
    } else if (q->nonzero) {
        ret->answer = EXACT_NONZERO;
    } else {
        ret->chance = survey_chance(survey, 1);
        if (ret->chance < 0)
            return error_set(err, ERR_NO_MEMORY, "out of memory");
        if (ret->chance > 1)
            ret->why = "its degree is too large for a chance meeting to be excluded";
        else
            ret->answer = EXACT_ZERO;
    }
    return OK;
}

static Status ask(Identity *q, bool loose, Error *err)
{
    Survey survey = {.problem = q->problem, .look = look, .self = q, .copies = 1};

    q->nonzero = false;
    Status status = survey_run(&survey, loose, err);
    if (status == OK)
        status = conclude(q, &survey, err);
    survey_done(&survey);
    return status;
}

static Status ask_both(void *self, Error *err)
{
    Identity *q = self;
    Status status = ask(q, true, err);

    if (status == OK && q->result->answer == EXACT_NONZERO && survey_has_other_stages(q->problem))
        status = ask(q, false, err);
    return status;
}

Status exact_identity(const ExactProblem *problem, ExactResult *ret, Error *err)
{
    Identity question = {.problem = problem, .result = ret};
    return guard_call(ask_both, &question, err);
}

Status exact_vanishes(const ExactProblem *problem, size_t n_stages, const Expr *terms,
                      size_t n_terms, bool *ret, Error *err)
{
    ExactProblem own = *problem;
    ExactResult result = {.answer = EXACT_ZERO};
    Status status = OK;

    own.n_stages = n_stages;
    own.terms = terms;
    own.n_terms = n_terms;
    *ret = true;
    for (size_t k = 0; *ret && k < n_terms; k++)
        *ret = expr_vanishes(problem->pool, terms[k]);
    if (!*ret)
        status = exact_identity(&own, &result, err);
    *ret = status == OK && result.answer == EXACT_ZERO;
    return status;
}
