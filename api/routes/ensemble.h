/* Functions that the resources of an ensemble share. */
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

/* The ensemble in the path; 404 if the job is no ensemble. */
Status ensemble_open(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res,
                     EnsembleJob *ret_ensemble, Error *err) MUST_CHECK;

/* The submitted document of an ensemble, read again without its model and names. */
typedef struct EnsembleDocument {
    const char *bytes;
    size_t size;
    JobInput input;
    Design *design;
} EnsembleDocument;
Status ensemble_document(const ApiContext *ctx, const ApiRequest *req, const JobRecord *job,
                         EnsembleDocument *ret_document, Error *err) MUST_CHECK;

/* The rows of its summary, to be freed by summary_rows_free(). */
Status ensemble_rows(const ApiContext *ctx, const EnsembleJob *ensemble, SummaryRows **ret_rows,
                     Error *err) MUST_CHECK;

/* The expression in a parameter of the query; NULL if the parameter is absent. Mistakes are a
 * 400. */
Status ensemble_expression(const ApiRequest *req, ApiResponse *res, const EnsembleJob *ensemble,
                           const char *parameter, bool condition, RowExpression **ret_expression,
                           Error *err) MUST_CHECK;

/* Answers with rows of the summary, by the parameters `columns`, `limit` and `cursor`. Takes over
 * where and sort (NULL: none). limit: the default; 0: all rows. */
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

/* The index of a table of members by its name. 400 if there is no such event, 409 if the table is
 * not kept. */
Status ensemble_table(const ApiRequest *req, ApiResponse *res, const JobRecord *job,
                      const char *name, int *ret_table, Error *err) MUST_CHECK;

#endif
