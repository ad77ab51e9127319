/* The instants of an ensemble's statistics over time: those of its members' samples. */
#ifndef CORE_ENSEMBLE_INSTANTS_H
#define CORE_ENSEMBLE_INSTANTS_H

#include "core/base/arena.h"
#include "core/ensemble/design.h"
#include "core/job.h"

typedef struct Instants {
    bool parts; /* t is a fraction of each member's time, from 0 to 1: an end of it is varied */
    const double *t; /* n, in the arena; NULL: more than `most` */
    uint64_t n;
} Instants;

/* Is the beginning or the end of members varied? */
bool instants_vary(const DesignSpec *design);

/* For a job without errors. ERR_INVALID: the members are sampled at different instants, and at
 * different fractions of their times. At most `most` instants are written. */
Status instants_of(const JobSpec *job, const DesignSpec *design, uint64_t most, Arena *arena,
                   Instants *ret_instants, Error *err) MUST_CHECK;

#endif
