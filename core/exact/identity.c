/* Identities by evaluation over prime fields.
 *
 * A function that is not zero vanishes at a random point with a chance of at most degree / p. Where
 * branches depend on signs, each point takes the branches that its own signs choose: with c signs
 * that are independent of each other a pattern is met with chance 2^-c, and so many points are drawn
 * that every pattern is met. An even root of a number that is not a square otherwise is no branch: its
 * norm vanishes with it. Which signs are independent the points show, if they are enough. */
#include <math.h>
#include <stdlib.h>

#include "core/exact/degree.h"
#include "core/exact/guard.h"
#include "core/exact/place.h"

/* Points in each of the primes: without corners, and for each pattern of signs. */
enum { PRIMES = 2, POINTS = 3, PATTERN_POINTS = 20, DRAWS = 40 };

/* Differences between patterns of signs, in echelon form over the field of two elements. */
typedef struct Patterns {
    bool any;
    uint64_t first, rows[POINT_SIGNS];
    size_t rank;
} Patterns;

static void patterns_add(Patterns *patterns, uint64_t signs)
{
    if (!patterns->any) {
        patterns->any = true;
        patterns->first = signs;
    }
    uint64_t row = signs ^ patterns->first;
    for (size_t k = 0; k < patterns->rank; k++)
        if (row & (patterns->rows[k] & -patterns->rows[k]))
            row ^= patterns->rows[k];
    if (row && patterns->rank < POINT_SIGNS)
        patterns->rows[patterns->rank++] = row;
}

typedef struct Identity {
    const ExactProblem *problem;
    Steps steps;
    Folded folded;
    Multiples multiples;
    Point point;
    Place *places;
    Patterns corners; /* of points that count */
    Patterns roots;   /* of all points */
    bool nonzero;
} Identity;

static size_t count_bits(uint64_t bits)
{
    size_t n = 0;
    for (; bits; bits &= bits - 1)
        n++;
    return n;
}

/* Signs that choose a branch: independent corners, and roots that hang together with others. */
static size_t branches(const Identity *q)
{
    return q->corners.rank + count_bits(q->point.roots) - q->roots.rank;
}

static bool has_corners(const Identity *q)
{
    return q->point.n_signs > count_bits(q->point.roots);
}

/* A corner whose sign was the same at all points so far may still be one. */
static size_t points_wanted(const Identity *q)
{
    const size_t c = branches(q);
    if (c == 0)
        return has_corners(q) ? 2 * PATTERN_POINTS : POINTS;
    return (size_t)PATTERN_POINTS << c;
}

/* One point; false where it does not count. */
static bool try_point(Identity *q)
{
    Steps *s = &q->steps;
    Point *p = &q->point;
    mp_limb_t sum = 0;
    size_t done = 0;

    point_draw(p);
    for (uint32_t level = 0; level <= s->n_stages; level++) {
        if (level > 0 && !place_point(&q->places[level - 1], p))
            return false;
        size_t end = done;
        while (end < s->n && s->step[end].level == level)
            end++;
        for (; done < end; done++) {
            const uint32_t slot = (uint32_t)done;
            if (!point_evaluate(p, &slot, 1))
                return false;
        }
    }
    patterns_add(&q->roots, p->signs & p->roots);
    if (!point_has_roots(p))
        return false;
    patterns_add(&q->corners, p->signs & ~p->roots);
    for (size_t k = 0; k < s->n_terms; k++)
        sum = nmod_add(sum, p->value[s->terms[k]], p->field.mod);
    q->nonzero = sum != 0;
    return true;
}

/* Points in one field until they are enough, or one is not zero. */
static Status try_field(Identity *q, size_t prime, ExactResult *ret, Error *err)
{
    size_t points = 0, draws = 0;
    Status status = OK;

    point_set_field(&q->point, prime);
    q->point.work += 20 * q->steps.n_numbers;
    while (status == OK && !q->nonzero && !q->point.why && points < points_wanted(q)) {
        points += try_point(q);
        draws++;
        if (branches(q) > EXACT_MAX_CORNERS && draws > 4 * POINT_SIGNS)
            q->point.why = "it has too many branches";
        else if (draws > DRAWS &&
                 draws > ((size_t)DRAWS << count_bits(q->point.roots)) + 4 * points)
            q->point.why = "points at which it is defined are hard to find in the fields";
        else if (q->point.work > EXACT_MAX_WORK)
            q->point.why = "it takes too much work";
        if (draws % 16 == 0 && q->problem->poll)
            status = q->problem->poll(q->problem->self, err);
    }
    ret->points += points;
    ret->primes++;
    return status;
}

/* The chance that all points were zero by accident: as many of them as a pattern of signs has; that a
 * pattern was never met; or that a sign independent of the c others looked as if it depended on them,
 * in one of the 2^(c + 1) ways to do so. */
static double chance(const Identity *q, double degree, size_t points)
{
    const double patterns = ldexp(1, (int)branches(q)), n = (double)points;
    const double by_degree = pow(degree / ldexp(1, 61), n / patterns);
    const double by_branch = patterns > 1 ? pow(1 - 1 / patterns, n) * patterns : 0;
    const double by_rank = has_corners(q) ? ldexp(patterns, 1 - (int)points) : 0;
    return fmin(1, by_degree + by_branch + by_rank);
}

static Status decide(Identity *q, ExactResult *ret, Error *err)
{
    static const double LARGEST_DEGREE = 1e15;
    const double degree = degree_bound(&q->steps, &q->multiples);
    Status status = OK;

    if (degree < 0)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t k = 0; k < PRIMES && status == OK && !q->nonzero && !q->point.why; k++)
        status = try_field(q, k, ret, err);
    if (status != OK)
        return status;
    if (q->point.why) {
        ret->why = q->point.why;
    } else if (q->nonzero) {
        ret->answer = EXACT_NONZERO;
    } else if (!(degree < LARGEST_DEGREE)) {
        ret->why = "its degree is too large for a chance meeting to be excluded";
    } else {
        ret->answer = EXACT_ZERO;
        ret->chance = chance(q, degree, ret->points);
    }
    return OK;
}

static bool identity_init(Identity *q)
{
    Steps *s = &q->steps;

    q->places = ARENA_NEW(&s->arena, s->n_stages, Place);
    bool made = q->places && fold_init(&q->folded, s) && multiples_init(&q->multiples, s) &&
                point_init(&q->point, s, &q->multiples, &q->folded);
    for (size_t k = 0; made && k < s->n_stages; k++)
        made = place_init(&q->places[k], s, &q->multiples, k);
    return made;
}

/* With loose, for all values of what should vanish, not only for zero. */
static Status ask(const ExactProblem *problem, bool loose, ExactResult *ret, Error *err)
{
    Identity q = {.problem = problem};
    Status status = steps_init(&q.steps, problem, loose, err);

    *ret = (ExactResult){.answer = EXACT_UNKNOWN};
    if (status == OK && !q.steps.why && !identity_init(&q))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK && q.steps.why)
        ret->why = q.steps.why;
    else if (status == OK)
        status = decide(&q, ret, err);
    fold_done(&q.folded);
    steps_done(&q.steps);
    return status;
}

static bool has_other_stages(const ExactProblem *problem)
{
    for (size_t k = 0; k < problem->n_stages; k++)
        if (!problem->stages[k].linear && problem->stages[k].n_equations > 0)
            return true;
    return false;
}

typedef struct Question {
    const ExactProblem *problem;
    ExactResult *result;
} Question;

static Status ask_both(void *self, Error *err)
{
    const Question *q = self;
    Status status = ask(q->problem, true, q->result, err);

    if (status == OK && q->result->answer == EXACT_NONZERO && has_other_stages(q->problem))
        status = ask(q->problem, false, q->result, err);
    return status;
}

Status exact_identity(const ExactProblem *problem, ExactResult *ret, Error *err)
{
    Question question = {problem, ret};
    return guard_call(ask_both, &question, err);
}
