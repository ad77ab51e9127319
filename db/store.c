/* Common to all stores: the states of a job and their names. */
#include "db/store.h"

#include <string.h>

static const char *const STATES[] = {
    [JOB_QUEUED] = "queued", [JOB_RUNNING] = "running",     [JOB_SUCCEEDED] = "succeeded",
    [JOB_FAILED] = "failed", [JOB_CANCELLED] = "cancelled",
};

enum { N_STATES = sizeof STATES / sizeof *STATES };

const char *job_state_name(JobState state)
{
    return STATES[state];
}

bool job_state_parse(const char *name, JobState *ret_state)
{
    for (int i = 0; i < N_STATES; i++) {
        if (strcmp(name, STATES[i]) == 0) {
            *ret_state = (JobState)i;
            return true;
        }
    }
    return false;
}

bool job_state_done(JobState state)
{
    return state == JOB_SUCCEEDED || state == JOB_FAILED || state == JOB_CANCELLED;
}
