/* Jobs of this program, timed by their parts. */
#ifndef BENCH_PEERS_DALEMBERT_H
#define BENCH_PEERS_DALEMBERT_H

#include "api/cache.h"
#include "bench/peers/peers.h"

typedef struct JobShape {
    const char *method;
    double tolerance, end;
    int bare_rounds; /* so often its loop is measured bare of evidence */
} JobShape;

/* Seconds: from the text of the document to a job that is ready; integration and analyses as the
 * job tells them; from the text to the result. */
typedef struct JobParts {
    double prepare, integrate, analyse, whole;
    double bare_step; /* a step of the bare loop */
    bool done;
    Work work;
    double q[COORDINATES_MOST], v[COORDINATES_MOST];
} JobParts;

/* Exits with a message where the job cannot be run. */
JobParts job_parts(const Problem *problem, const JobShape *shape, CompiledCache *cache);

#endif
