/* The handlers, one file for each resource; api/routes/table.c lists them with their paths. */
#ifndef API_ROUTES_ROUTES_H
#define API_ROUTES_ROUTES_H

#include "api/api.h"

#define HANDLER(name) \
    Status name(const ApiContext *ctx, const ApiRequest *req, ApiResponse *res, Error *err)

HANDLER(jobs_create); /* submit.c */

HANDLER(jobs_rerun); /* rerun.c */

HANDLER(jobs_batch); /* batch.c */

HANDLER(jobs_stream); /* stream.c */

HANDLER(jobs_bulk_cancel); /* bulk.c */
HANDLER(jobs_bulk_delete);

HANDLER(jobs_list); /* jobs.c */
HANDLER(jobs_get);
HANDLER(jobs_request);
HANDLER(jobs_cancel);
HANDLER(jobs_delete);
HANDLER(jobs_diagnostics);
HANDLER(jobs_invariants);

HANDLER(jobs_result);  /* results.c */
HANDLER(jobs_observe); /* observe.c */
HANDLER(jobs_scene);   /* scene.c */
HANDLER(jobs_plot);    /* plot.c */

HANDLER(members_list); /* members.c */
HANDLER(members_get);
HANDLER(members_result);
HANDLER(members_statistics); /* statistics.c */

HANDLER(models_create); /* models.c */
HANDLER(models_list);
HANDLER(models_get);
HANDLER(models_delete);
HANDLER(models_equations);
HANDLER(models_structure);

HANDLER(keys_create); /* keys.c */
HANDLER(keys_list);
HANDLER(keys_revoke);

HANDLER(tenants_create); /* tenants.c */
HANDLER(tenants_list);
HANDLER(tenants_get);
HANDLER(tenants_change);

HANDLER(catalog_list); /* catalog.c */
HANDLER(catalog_get);

HANDLER(service_index); /* service.c */
HANDLER(service_queue);
HANDLER(service_limits);
HANDLER(service_language);
HANDLER(service_live);
HANDLER(service_ready);
HANDLER(service_metrics);
HANDLER(service_openapi);

HANDLER(ui_file); /* ui.c */
HANDLER(ui_client);
HANDLER(service_problem);

#undef HANDLER

#endif
