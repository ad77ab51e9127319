/* Private to api/routes: submissions of ensembles. */
#ifndef API_ROUTES_SUBMIT_ENSEMBLE_H
#define API_ROUTES_SUBMIT_ENSEMBLE_H

#include "api/json/writer.h"
#include "api/prepared_job.h"
#include "db/store.h"

/* Fills the members of JobDraft for ensembles, in the arena. */
Status submit_describe_ensemble(const PreparedJob *job, Arena *arena, JobDraft *draft,
                                Error *err) MUST_CHECK;

/* Writes the members "members" and "design" about a valid document. */
Status submit_write_members(JsonWriter *writer, const PreparedJob *job, Arena *arena,
                            Error *err) MUST_CHECK;

#endif
