/* What the resources of an ensemble share. */
#ifndef API_ROUTES_ENSEMBLE_H
#define API_ROUTES_ENSEMBLE_H

#include "api/api.h"
#include "api/documents/documents.h"
#include "api/documents/summary_rows.h"
#include "core/ensemble/design.h"

typedef struct EnsembleJob {
    JobRecord job;
    SummaryColumns columns; /* in the request's arena */
} EnsembleJob;

/* The job of the path. One that is no ensemble is a 404. */
Status ensemble_open(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                     EnsembleJob *ret_ensemble, Error *err) MUST_CHECK;

/* Its document as it was submitted, read again; the model and the names are left out. */
typedef struct EnsembleDocument {
    const char *bytes;
    size_t size;
    JobInput input;
    Design *design;
} EnsembleDocument;
Status ensemble_document(const ApiContext *ctx, const ApiRequest *req, const JobRecord *job,
                         EnsembleDocument *ret_document, Error *err) MUST_CHECK;

/* Its rows, to be freed by summary_rows_free(). */
Status ensemble_rows(const ApiContext *ctx, const EnsembleJob *ensemble, SummaryRows **ret_rows,
                     Error *err) MUST_CHECK;

/* An expression of a parameter of the query, or NULL where it is not given. Mistakes are a 400. */
Status ensemble_expression(const ApiRequest *req, ApiResponse *res, const EnsembleJob *ensemble,
                           const char *parameter, bool condition, RowExpression **ret_expression,
                           Error *err) MUST_CHECK;

/* The rows of the summary as the answer, by the parameters `columns`, `limit` and `cursor`; where
 * and sort (NULL: none) are taken over. limit: where none is given; 0: all. */
typedef struct EnsembleSelection {
    RowExpression *where, *sort;
    int64_t limit;
} EnsembleSelection;
Status ensemble_reply(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                      const EnsembleJob *ensemble, const EnsembleSelection *selection,
                      Error *err) MUST_CHECK;

/* GET /v1/jobs/{id}/result of an ensemble. */
Status ensemble_result(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                       Error *err) MUST_CHECK;

/* The place of a table of members by its name; a 400 where there is none, a 409 where it is not
 * kept. */
Status ensemble_table(const ApiRequest *req, ApiResponse *res, const JobRecord *job,
                      const char *name, int *ret_table, Error *err) MUST_CHECK;

#endif
