/* The instants of an ensemble at which its members are looked at together: those of their samples. */
#ifndef CORE_ENSEMBLE_INSTANTS_H
#define CORE_ENSEMBLE_INSTANTS_H

#include "core/base/arena.h"
#include "core/ensemble/design.h"
#include "core/job.h"

typedef struct Instants {
    bool parts;      /* of each member's time, from 0 to 1: its end or its beginning is varied */
    const double *t; /* n, in the arena; NULL: more than `most` */
    uint64_t n;
} Instants;

/* Is the beginning or the end of members varied? */
bool instants_vary(const DesignSpec *design);

/* Of a job without mistakes. ERR_INVALID where members are sampled at different instants, which are no parts of their times
 * either. At most `most` instants are written. */
Status instants_of(const JobSpec *job, const DesignSpec *design, uint64_t most, Arena *arena,
                   Instants *ret_instants, Error *err) MUST_CHECK;

#endif
