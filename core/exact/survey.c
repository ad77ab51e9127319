/* Points of the equations over prime fields: how many are wanted, and the chance that they mislead. */
#include "core/exact/survey.h"

#include <math.h>

#include "core/base/patience.h"
#include "core/exact/degree.h"

/* Points in each of the primes: without corners, and for each pattern of signs. */
enum { PRIMES = 2, POINTS = 3, PATTERN_POINTS = 20, DRAWS = 40 };

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

static size_t count_bits(uint64_t bits)
{
    size_t n = 0;
    for (; bits; bits &= bits - 1)
        n++;
    return n;
}

/* Signs that choose a branch: independent corners, and roots that hang together with others. */
static size_t branches(const Survey *q)
{
    return q->corners.rank + count_bits(q->point.roots) - q->roots.rank;
}

static bool has_corners(const Survey *q)
{
    return q->point.n_signs > count_bits(q->point.roots);
}

/* A corner whose sign was the same at all points so far may still be one. */
static size_t points_wanted(const Survey *q)
{
    const size_t c = branches(q);
    if (c == 0)
        return has_corners(q) ? 2 * PATTERN_POINTS : POINTS;
    return (size_t)PATTERN_POINTS << c;
}

/* Places and evaluates the levels from this one on; false where the point does not count. */
static bool evaluate_from(Survey *q, uint32_t first)
{
    Steps *s = &q->steps;
    Point *p = &q->point;
    size_t done = 0;

    while (done < s->n && s->step[done].level < first)
        done++;
    for (uint32_t level = first; level <= s->n_stages; level++) {
        if (level > 0 && !place_point(&q->places[level - 1], p))
            return false;
        for (; done < s->n && s->step[done].level == level; done++) {
            const uint32_t slot = (uint32_t)done;
            if (!point_evaluate(p, &slot, 1))
                return false;
        }
    }
    patterns_add(&q->roots, p->signs & p->roots);
    if (!point_has_roots(p))
        return false;
    patterns_add(&q->corners, p->signs & ~p->roots);
    return true;
}

/* One point with its copies; false where it does not count. */
static bool try_point(Survey *q)
{
    point_draw(&q->point);
    if (!evaluate_from(q, 0))
        return false;
    bool more = q->look(q->self, &q->point, 0);
    for (size_t k = 1; more && k < q->copies; k++) {
        point_draw_beyond(&q->point, (uint32_t)q->shared);
        if (!evaluate_from(q, (uint32_t)q->shared + 1))
            return false;
        more = q->look(q->self, &q->point, k);
    }
    q->enough = !more;
    return true;
}

/* Points in one field until they are enough. */
static Status try_field(Survey *q, size_t prime, Error *err)
{
    size_t points = 0, draws = 0;
    Status status = OK;

    point_set_field(&q->point, prime);
    q->point.work += 20 * q->steps.n_numbers;
    while (status == OK && !q->enough && !q->point.why && points < points_wanted(q)) {
        const size_t before = q->point.work;
        points += try_point(q);
        status = patience_spend(q->point.work - before, err);
        draws++;
        if (branches(q) > EXACT_MAX_CORNERS && draws > 4 * (size_t)POINT_SIGNS)
            q->point.why = "it has too many branches";
        else if (draws > DRAWS &&
                 draws > ((size_t)DRAWS << count_bits(q->point.roots)) + 4 * points)
            q->point.why = "points at which it is defined are hard to find in the fields";
        else if (q->point.work > EXACT_MAX_WORK)
            q->point.why = "it takes too much work";
        if (status == OK && draws % 16 == 0 && q->problem->poll)
            status = q->problem->poll(q->problem->self, err);
    }
    q->points += points;
    q->primes++;
    return status;
}

/* All points were as they were by accident: as many of them as a pattern of signs has; or a pattern
 * was never met; or a sign independent of the c others looked as if it depended on them, in one of
 * the 2^(c + 1) ways to do so. */
double survey_chance(const Survey *q, size_t times)
{
    static const double LARGEST_DEGREE = 1e15;
    const double degree = (double)times * degree_bound(&q->steps, &q->multiples);
    const double patterns = ldexp(1, (int)branches(q)), n = (double)q->points;
    const double by_degree = pow(degree / ldexp(1, 61), n / patterns);
    const double by_branch = patterns > 1 ? pow(1 - 1 / patterns, n) * patterns : 0;
    const double by_rank = has_corners(q) ? ldexp(patterns, 1 - (int)q->points) : 0;

    if (degree < 0)
        return -1;
    return degree < LARGEST_DEGREE ? fmin(1, by_degree + by_branch + by_rank) : 2;
}

static bool init(Survey *q)
{
    Steps *s = &q->steps;

    q->places = ARENA_NEW(&s->arena, s->n_stages, Place);
    bool made = q->places && fold_init(&q->folded, s) && multiples_init(&q->multiples, s) &&
                point_init(&q->point, s, &q->multiples, &q->folded);
    for (size_t k = 0; made && k < s->n_stages; k++)
        made = place_init(&q->places[k], s, &q->multiples, k);
    return made;
}

Status survey_run(Survey *q, bool loose, Error *err)
{
    Status status = steps_init(&q->steps, q->problem, loose, err);

    if (status == OK && !q->steps.why && !init(q))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t k = 0; status == OK && k < PRIMES && !q->enough && !survey_doubt(q); k++)
        status = try_field(q, k, err);
    return status;
}

void survey_done(Survey *q)
{
    fold_done(&q->folded);
    steps_done(&q->steps);
}

const char *survey_doubt(const Survey *q)
{
    return q->steps.why ? q->steps.why : q->point.why;
}

bool survey_has_other_stages(const ExactProblem *problem)
{
    for (size_t k = 0; k < problem->n_stages; k++)
        if (!problem->stages[k].linear && problem->stages[k].n_equations > 0)
            return true;
    return false;
}
