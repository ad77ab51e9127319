/* Points of the equations over prime fields, enough for a claim about all of them. Private to
 * core/exact.
 *
 * A function that is not zero vanishes at a random point with a chance of at most degree / p. If
 * branches depend on signs, each point takes the branches of its own signs. With c independent
 * signs a pattern has the chance 2^-c, so the number of points grows until every pattern is met. An
 * even root of a number that is not a square otherwise is not a branch, because its norm vanishes
 * with it. The points show which signs are independent, if there are enough of them. A relation
 * between signs may hold in one field only, in which a positive number is not a square. So if signs
 * seem to depend on each other, points come from many fields.
 *
 * The solution set of the equations may have several parts, (x - y) (x + y) = 0. If it is not shown
 * to be one part, some points take all roots of the equations, if these split into linear
 * factors. */
#ifndef CORE_EXACT_SURVEY_H
#define CORE_EXACT_SURVEY_H

#include "core/exact/place.h"

/* Differences between patterns of signs, in echelon form over the field of two elements. */
typedef struct Patterns {
    bool any;
    uint64_t first, rows[POINT_SIGNS];
    size_t rank;
} Patterns;

typedef struct Survey {
    const ExactProblem *problem;
    /* Called at every point. False: it has seen enough. A point comes `copies` times, one after the
     * other, with other unknowns of the stages beyond the first `shared`. If one copy does not
     * count, the point begins anew. */
    bool (*look)(void *self, const Point *point, size_t copy);
    void *self;
    size_t copies, shared;
    Steps steps;
    Folded folded;
    Multiples multiples;
    Point point;
    Place *places;
    Patterns corners; /* of points that count */
    Patterns roots;   /* of all points */
    bool enough;
    size_t points, primes; /* number of points and primes so far */
    size_t barren;         /* primes without points */
    size_t slices;         /* slices all of whose points were visited */
} Survey;

/* Visits points until `look` has seen enough or the wanted number is reached. With loose, nonlinear
 * stages are left out. On failure survey_doubt() gives the reason. Call survey_done() in any
 * case. */
Status survey_run(Survey *survey, bool loose, Error *err) MUST_CHECK;
void survey_done(Survey *survey); /* {0} is fine */

/* The reason why the points are not enough, a static text, "it ...", or NULL. */
const char *survey_doubt(const Survey *survey);

/* The chance that a property of all visited points fails elsewhere; `times` multiplies the bound on
 * the degree of the terms' sum. Above 1 if the degree is too large, negative if memory is out. */
double survey_chance(const Survey *survey, size_t times);

/* True if there are nonlinear equations, which a loose survey leaves out. */
bool survey_has_other_stages(const ExactProblem *problem);

#endif
