/* A page of jobs, or of their changes. */
#ifndef API_ROUTES_JOBS_PAGE_H
#define API_ROUTES_JOBS_PAGE_H

#include "api/api.h"

/* A page goes on behind its last job: older ones, or what changed later. Whoever follows only the
 * revision misses nothing either. Of changes there are jobs that were deleted, too: what is told of
 * both ends at the same revision. */
typedef struct JobsPage {
    const JobRecord *jobs;
    const DeletedJob *deleted;
    size_t n, n_deleted;
    bool more, by_revision, reset;
    int64_t
        revision; /* of the store before the page was read; of more changes, the last one told */
} JobsPage;

/* filter->limit: one more than the page has. Lives in the request's arena. */
Status jobs_page_read(const ApiContext *ctx, const ApiRequest *req, const JobFilter *filter,
                      JobsPage *ret_page, Error *err) MUST_CHECK;
/* As the body. */
Status jobs_page_write(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                       const JobsPage *page, Error *err) MUST_CHECK;

#endif
