/* Private to api/routes: submissions of ensembles. */
#ifndef API_ROUTES_SUBMIT_ENSEMBLE_H
#define API_ROUTES_SUBMIT_ENSEMBLE_H

#include "api/json/writer.h"
#include "api/prepared_job.h"
#include "db/store.h"

/* Fills what JobDraft has of ensembles, in the arena. */
Status submit_describe_ensemble(const PreparedJob *job, Arena *arena, JobDraft *draft,
                                Error *err) MUST_CHECK;

/* The members "members" and "design" of what is told of a valid document. */
Status submit_write_members(JsonWriter *writer, const PreparedJob *job, Arena *arena,
                            Error *err) MUST_CHECK;

#endif
