/* Points of the equations over prime fields: their number, and the chance that they mislead. */
#include "core/exact/survey.h"

#include <math.h>

#include "core/base/stop_token.h"
#include "core/exact/guard.h"

/* Points in each of the first primes: without corners, and for each pattern of signs. */
enum { PRIMES = 2, POINTS = 3, PATTERN_POINTS = 20, DRAWS = 40 };
/* Limits: fields without points, points of one slice, and slices of one field. */
enum { MOST_BARREN = 8, SLICE_POINTS = 256, FIELD_SLICES = 4 };

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

/* Number of signs that choose a branch: independent corners, and roots that depend on others. */
static size_t branches(const Survey *q)
{
    return q->corners.rank + count_bits(q->point.roots) - q->roots.rank;
}

static size_t count_corners(const Survey *q)
{
    return q->point.n_signs - count_bits(q->point.roots);
}

/* True if some corner's sign seems to follow from those of others or to be constant. */
static bool signs_depend(const Survey *q)
{
    return q->corners.rank < count_corners(q);
}

static size_t patterns_wanted(const Survey *q)
{
    return (size_t)PATTERN_POINTS << branches(q);
}

/* Number of points in the next field. A corner with one sign so far may still change it. */
static size_t points_wanted(const Survey *q)
{
    if (q->primes >= PRIMES)
        return signs_depend(q) ? (size_t)1 << branches(q) : 0;
    if (branches(q) > 0)
        return patterns_wanted(q);
    return count_corners(q) > 0 ? 2 * PATTERN_POINTS : POINTS;
}

/* Places and evaluates the levels from this one on; false if the point does not count. */
static bool evaluate_from(Survey *q, uint32_t first)
{
    Steps *s = &q->steps;
    Point *p = &q->point;
    /* skip the steps of lower levels */
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
    /* note the signs; the point counts only if all even roots exist */
    patterns_add(&q->roots, p->signs & p->roots);
    if (!point_has_roots(p)) {
        p->choices.missed = true;
        return false;
    }
    patterns_add(&q->corners, p->signs & ~p->roots);
    return true;
}

/* One point with its copies; false if it does not count. */
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

static Status spend(Survey *q, size_t before, size_t draws, Error *err)
{
    Status status = stop_token_spend(q->point.work - before, err);

    if (branches(q) > EXACT_MAX_CORNERS && draws > 4 * (size_t)POINT_SIGNS)
        q->point.why = "it has too many branches";
    else if (q->point.work > EXACT_MAX_WORK)
        q->point.why = "it takes too much work";
    if (status == OK && draws % 16 == 0 && q->problem->poll)
        status = q->problem->poll(q->problem->self, err);
    return status;
}

/* Draws points in one field until there are enough. */
static Status try_field(Survey *q, size_t prime, Error *err)
{
    static const char *const HARD = "points at which it is defined are hard to find in the fields";
    size_t points = 0, draws = 0;
    bool hard = false;
    Status status = OK;

    point_set_field(&q->point, prime);
    q->point.work += 20 * q->steps.n_numbers;
    while (status == OK && !q->enough && !survey_doubt(q) && !hard && points < points_wanted(q)) {
        const size_t before = q->point.work;
        points += try_point(q);
        draws++;
        hard = draws > DRAWS && draws > ((size_t)DRAWS << count_bits(q->point.roots)) + 4 * points;
        status = spend(q, before, draws, err);
    }
    /* a root of a number may not exist in this field */
    q->barren += hard && points == 0;
    if (hard && (points > 0 || q->barren > MOST_BARREN) && !q->point.why)
        q->point.why = HARD;
    q->points += points;
    q->primes += points > 0;
    return status;
}

/* Moves on to the next root of an equation with several parts; the random values are repeated. */
static bool next_choice(Choices *c)
{
    for (c->given = c->n; c->given > 0; c->given--)
        if (++c->at[c->given - 1] < c->of[c->given - 1])
            return true;
    return false;
}

/* Visits all points for one random choice of the free values; *ret false: some are missing. */
static Status try_slice(Survey *q, bool *ret, Error *err)
{
    Point *p = &q->point;
    const Random start = p->random;
    size_t points = 0;
    bool more = true;
    Status status = OK;

    p->choices = (Choices){.all = true};
    while (status == OK && more && !q->enough && !survey_doubt(q)) {
        const size_t before = p->work;
        /* the same free values again, with the next choice of roots */
        p->random = start;
        try_point(q);
        more = next_choice(&p->choices);
        p->choices.missed |= more && ++points == SLICE_POINTS;
        more = more && !p->choices.missed;
        status = spend(q, before, points, err);
    }
    *ret = !p->choices.missed;
    p->choices = (Choices){0};
    return status;
}

static size_t slices_wanted(const Survey *q)
{
    return count_corners(q) > 0 ? 2 * patterns_wanted(q) : POINTS;
}

/* Meets all parts of the solution set of the equations. Equations of one part need no more points;
 * for others slices are visited completely. */
static Status meet_parts(Survey *q, Error *err)
{
    const bool primitive = place_is_primitive(q->places, q->steps.n_stages, &q->point);

    for (size_t k = 0; primitive && k < FIELD_ALL; k++) {
        size_t draws = 0, met = 0;
        point_set_field(&q->point, k);
        for (; draws < FIELD_SLICES || (met > 0 && draws < 2 * slices_wanted(q)); draws++) {
            bool is_met = false;
            /* done if all equations have one part, or enough slices were met */
            if (place_note_whole(q->places, q->steps.n_stages) || q->slices >= slices_wanted(q))
                return OK;
            place_look_along_lines(q->places, q->steps.n_stages, &q->point);
            const Status status = try_slice(q, &is_met, err);
            if (status != OK || q->enough || survey_doubt(q))
                return status;
            met += is_met;
            q->slices += is_met;
        }
    }
    q->point.why = "its equations may have solutions beyond those found in the fields";
    return OK;
}

/* The chance of error, the sum of four cases. All points vanish by accident, in number as many as a
 * pattern of signs has. A pattern was never met. A sign independent of the c others seems to depend
 * on them, in one of 2^(c + 1) ways, at all points. A relation between signs differs over the real
 * numbers: a positive number may be a square in none of the fields. */
Status survey_chance(const Survey *q, size_t times, double *ret, const char **ret_why, Error *err)
{
    /* above this degree the bound on the chance says nothing; convention; no unit */
    static const double LARGEST_DEGREE = 1e15;
    const double degree = (double)times * degree_bound(&q->steps, &q->multiples);
    const double patterns = ldexp(1, (int)branches(q)),
                 n = (double)(q->slices > 0 ? q->slices : q->points);
    const double by_degree = pow(degree / ldexp(1, 61), n / patterns);
    const double by_branch = patterns > 1 ? pow(1 - 1 / patterns, n) * patterns : 0;
    const double by_rank =
        signs_depend(q) ? ldexp(patterns, 1 - (int)q->points) + ldexp(patterns, -(int)q->primes)
                        : 0;

    if (degree < 0)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    *ret = degree < LARGEST_DEGREE ? fmin(1, by_degree + by_branch + by_rank) : 2;
    if (*ret > 1)
        *ret_why = "its degree is too large for a chance meeting to be excluded";
    return OK;
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

/* With loose, nonlinear stages are left out. */
static Status run(Survey *q, bool loose, Error *err)
{
    Status status = steps_init(&q->steps, q->problem, loose, err);

    if (status == OK && !q->steps.why && !init(q))
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    for (size_t k = 0; status == OK && k < FIELD_ALL && !q->enough && !survey_doubt(q); k++)
        if (q->primes < PRIMES || signs_depend(q))
            status = try_field(q, k, err);
    return status == OK && !q->enough && !survey_doubt(q) ? meet_parts(q, err) : status;
}

static bool has_nonlinear_stages(const ExactProblem *problem)
{
    for (size_t k = 0; k < problem->n_stages; k++)
        if (!problem->stages[k].linear && problem->stages[k].n_equations > 0)
            return true;
    return false;
}

static Status ask(void *self, Error *err)
{
    const Survey *question = self;
    const int times = has_nonlinear_stages(question->problem) ? 2 : 1;
    bool again = true;
    Status status = OK;

    for (int k = 0; status == OK && again && k < times; k++) {
        Survey survey = *question;
        status = run(&survey, k == 0, err);
        if (status == OK)
            status = question->conclude(question->self, &survey, &again, err);
        fold_done(&survey.folded);
        steps_done(&survey.steps);
    }
    return status;
}

Status survey_ask(const Survey *question, Error *err)
{
    Survey own = *question;
    return guard_call(ask, &own, err);
}

const char *survey_doubt(const Survey *q)
{
    return q->steps.why ? q->steps.why : q->point.why;
}
