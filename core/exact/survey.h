/* Points of the equations over prime fields, as many as a claim about all of them takes. Private to
 * core/exact. A function that is not zero vanishes at a random point with a chance of at most
 * degree / p. If branches depend on signs, each point takes the branches that its own signs choose:
 * with c signs that are independent of each other a pattern is met with chance 2^-c, and so many
 * points are drawn that every pattern is met. An even root of a number that is not a square
 * otherwise is no branch: its norm vanishes with it. Which signs are independent the points show,
 * if they are enough. A relation between signs may hold in a field alone, in which a positive
 * number is no square: where signs look as if they depended on each other, there are points in many
 * fields. What equations describe may have several parts, (x - y) (x + y) = 0. If it is not shown
 * to be one, all roots of the equations are taken at some points, of equations that split into
 * linear factors there. */
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
    /* What is looked at at every point. False: it has seen enough. A point comes `copies` times,
     * one after the other, with other unknowns of the stages beyond the first `shared`; where one
     * of them does not count the point begins anew. */
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
    size_t points, primes; /* that were looked at */
    size_t barren;         /* primes without points */
    size_t slices;         /* of which all points were looked at */
} Survey;

/* Points until `look` has seen enough, or as many as are wanted. With loose, of all values of what
 * should vanish, not only of zero. If it is not possible, survey_doubt() says why. Call
 * survey_done() in any case. */
Status survey_run(Survey *survey, bool loose, Error *err) MUST_CHECK;
void survey_done(Survey *survey); /* {0} is fine */

/* Why the points are not enough: a static text, "it ..."; NULL: they are. */
const char *survey_doubt(const Survey *survey);

/* The chance that what was seen at none of the points is somewhere all the same: `times` the bound
 * on the degree of the terms' sum. Above 1 where it is too large to tell, negative when memory is
 * out. */
double survey_chance(const Survey *survey, size_t times);

/* Whether there are equations that a loose survey leaves out. */
bool survey_has_other_stages(const ExactProblem *problem);

#endif
