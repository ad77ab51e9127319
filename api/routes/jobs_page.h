/* A page of jobs, or of their changes. */
#ifndef API_ROUTES_JOBS_PAGE_H
#define API_ROUTES_JOBS_PAGE_H

#include "api/api.h"

/* The next page begins behind the last job of this one: with older jobs, or later changes. A client
 * that only follows the revision misses nothing either. A page of changes also lists deleted jobs;
 * both lists end at the same revision. */
typedef struct JobsPage {
    const JobRecord *jobs;
    const DeletedJob *deleted;
    size_t n, n_deleted;
    bool more, by_revision, reset, counts_more;
    const StoreCounts *counts;    /* by state; NULL: not asked for */
    char searched_to[JOB_ID_MAX]; /* the job at which a search by name ended, or "" */
    int64_t
        revision; /* of the store before the page was read; if there are more changes, of the last
                   * one in the page */
} JobsPage;

enum {
    JOBS_SEARCHED = 100000, /* jobs that a search by name looks at; about 20 ms */
    JOBS_COUNTED = 10000,   /* jobs that are counted by a filter; about 20 ms */
};

/* filter->limit: one more than the page has. The page lives in the request's arena. */
Status jobs_page_read(const ApiContext *ctx, const ApiRequest *req, const JobFilter *filter,
                      JobsPage *ret_page, Error *err) MUST_CHECK;
/* Writes the page as the body. */
Status jobs_page_write(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                       const JobsPage *page, Error *err) MUST_CHECK;

#endif
