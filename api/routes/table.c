/* All resources and methods, one row each; a test compares this table with api/openapi.json. */
#include "api/routes/routes.h"

#include "api/routes/rows.h"
#include "api/routes/selection.h"

#define JSON "application/json"
#define UI_TYPES "text/javascript,text/css,application/json,image/svg+xml,font/woff2,text/plain"
#define RESULT_QUERY "columns table from to " SELECTION_QUERY

/* method, path, role, takes a body?, query parameters, media types, handler */
const Route api_routes[] = {
    {"POST", "/v1/jobs", ROLE_WRITE, true, "wait validate_only include format", JSON, jobs_create},
    {"POST", "/v1/jobs:batch", ROLE_WRITE, true, "", JSON, jobs_batch},
    {"POST", "/v1/jobs:cancel", ROLE_WRITE, true, "", JSON, jobs_bulk_cancel},
    {"POST", "/v1/jobs:delete", ROLE_WRITE, true, "", JSON, jobs_bulk_delete},
    {"GET", "/v1/jobs", ROLE_READ, false,
     "state model name limit cursor since wait include label.*", JSON ",text/event-stream",
     jobs_list},
    {"GET", "/v1/jobs/{id}", ROLE_READ, false, "wait since", JSON, jobs_get},
    {"DELETE", "/v1/jobs/{id}", ROLE_WRITE, false, "", JSON, jobs_delete},
    {"GET", "/v1/jobs/{id}/request", ROLE_READ, false, "", JSON, jobs_request},
    {"GET", "/v1/jobs/{id}/stream", ROLE_READ, false, "", "text/event-stream", jobs_stream},
    {"POST", "/v1/jobs/{id}/cancel", ROLE_WRITE, false, "", JSON, jobs_cancel},
    {"POST", "/v1/jobs/{id}/rerun", ROLE_WRITE, false, "wait", JSON, jobs_rerun},
    {"GET", "/v1/jobs/{id}/result", ROLE_READ, false, RESULT_QUERY, ROWS_TYPES, jobs_result},
    {"POST", "/v1/jobs/{id}/columns", ROLE_READ, true, RESULT_QUERY, ROWS_TYPES, jobs_observe},
    {"GET", "/v1/jobs/{id}/scene", ROLE_READ, false, "", JSON, jobs_scene},
    {"GET", "/v1/jobs/{id}/plot.svg", ROLE_READ, false,
     "x y from to table width height theme aspect style", "image/svg+xml", jobs_plot},
    {"GET", "/v1/jobs/{id}/members", ROLE_READ, false, "where sort columns limit cursor shape",
     ROWS_TYPES, members_list},
    {"GET", "/v1/jobs/{id}/members/{k}", ROLE_READ, false, "", JSON, members_get},
    {"GET", "/v1/jobs/{id}/members/{k}/result", ROLE_READ, false, "columns table " SELECTION_QUERY,
     ROWS_TYPES, members_result},
    {"GET", "/v1/jobs/{id}/statistics", ROLE_READ, false, "of where quantiles bins over", JSON,
     members_statistics},
    {"GET", "/v1/jobs/{id}/diagnostics", ROLE_READ, false, "", JSON, jobs_diagnostics},
    {"GET", "/v1/jobs/{id}/invariants", ROLE_READ, false, "", JSON, jobs_invariants},
    {"POST", "/v1/models", ROLE_WRITE, true, "validate_only include format", JSON, models_create},
    {"GET", "/v1/models", ROLE_READ, false, "limit cursor", JSON, models_list},
    {"GET", "/v1/models/{id}", ROLE_READ, false, "", JSON, models_get},
    {"DELETE", "/v1/models/{id}", ROLE_WRITE, false, "", JSON, models_delete},
    {"GET", "/v1/models/{id}/equations", ROLE_READ, false, "format formulation", JSON,
     models_equations},
    {"GET", "/v1/models/{id}/structure", ROLE_READ, false, "", JSON, models_structure},
    {"GET", "/v1/catalog", ROLE_READ, false, "", JSON, catalog_list},
    {"GET", "/v1/catalog/{name}", ROLE_READ, false, "", JSON, catalog_get},
    {"GET", "/v1/queue", ROLE_READ, false, "", JSON, service_queue},
    {"GET", "/v1/limits", ROLE_READ, false, "", JSON, service_limits},
    {"GET", "/v1/language", ROLE_READ, false, "", JSON, service_language},
    {"POST", "/v1/keys", ROLE_ADMIN, true, "", JSON, keys_create},
    {"GET", "/v1/keys", ROLE_ADMIN, false, "limit cursor", JSON, keys_list},
    {"DELETE", "/v1/keys/{id}", ROLE_ADMIN, false, "", JSON, keys_revoke},
    {"POST", "/v1/tenants", ROLE_ADMIN, true, "", JSON, tenants_create},
    {"GET", "/v1/tenants", ROLE_ADMIN, false, "", JSON, tenants_list},
    {"GET", "/v1/tenants/{name}", ROLE_ADMIN, false, "", JSON, tenants_get},
    {"PATCH", "/v1/tenants/{name}", ROLE_ADMIN, true, "", JSON, tenants_change},
    {"GET", "/", ROLE_OPEN, false, "", JSON ",text/html", service_index},
    {"GET", "/docs", ROLE_OPEN, false, "", JSON ",text/html", service_index},
    {"GET", "/ui/{hash}/{folder}/{file}", ROLE_OPEN, false, "", UI_TYPES, ui_file},
    {"GET", "/client/{module}", ROLE_OPEN, false, "", "text/javascript", ui_client},
    {"GET", "/problems/{code}", ROLE_OPEN, false, "", JSON ",text/html", service_problem},
    {"GET", "/openapi.json", ROLE_OPEN, false, "", JSON, service_openapi},
    {"GET", "/livez", ROLE_OPEN, false, "", JSON, service_live},
    {"GET", "/readyz", ROLE_OPEN, false, "", JSON, service_ready},
    {"GET", "/metrics", ROLE_METRICS, false, "", "text/plain", service_metrics},
};

const size_t api_n_routes = sizeof api_routes / sizeof api_routes[0];
