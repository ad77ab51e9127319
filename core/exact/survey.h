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

typedef struct Survey Survey;
struct Survey {
    const ExactProblem *problem;
    /* Called at every point. False: it has seen enough. A point comes `copies` times, with other
     * unknowns of the stages beyond the first `shared`, and anew if one copy does not count. */
    bool (*look)(void *self, const Point *point, size_t copy);
    /* Called at the end. *ret_again: nonlinear equations may change the answer. */
    Status (*conclude)(void *self, const Survey *survey, bool *ret_again, Error *err);
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
};

/* Visits points until `look` has seen enough or the wanted number is reached; with the nonlinear
 * stages only if conclude() asks again. `question` has the members before `steps`. */
Status survey_ask(const Survey *question, Error *err) MUST_CHECK;

/* The reason why the points are not enough, a static text, "it ...", or NULL. */
const char *survey_doubt(const Survey *survey);

/* The chance that a property of all visited points fails elsewhere. `times` multiplies the bound on
 * the degree of the terms' sum; *ret_why: it is too large. */
Status survey_chance(const Survey *survey, size_t times, double *ret, const char **ret_why,
                     Error *err) MUST_CHECK;

#endif
