/* The drawing of a job that has rows: its scene and figures with constants in place of the texts
 * that do not move, and columns for those that do. */
#ifndef API_DOCUMENTS_DRAWING_H
#define API_DOCUMENTS_DRAWING_H

#include <cjson/cJSON.h>

#include "api/documents/documents.h"
#include "core/simulate.h"

/* Finds the mistakes in the texts of a drawing: of a job, whose observables it may name, or of a
 * model alone, with spec NULL. */
Status drawing_check(const Compiled *compiled, const JobSpec *spec, const DrawingTexts *drawing,
                     Diagnostics *diag, Error *err) MUST_CHECK;

/* A text that moves. Its name in answers is s1, s2, .. by its place. */
typedef struct DrawingColumn {
    const char *name, *text;
    const char *rate; /* the name of its rate, dot(s1); NULL: the rows do not tell it */
} DrawingColumn;

typedef struct Drawing {
    const char *drawn_by;   /* "job", "model" or "default rules" */
    cJSON *scene, *figures; /* owned */
    DrawingColumn *columns; /* n_columns; this and the rest live in the arena */
    size_t n_columns;
    const char **warnings; /* n_warnings */
    size_t n_warnings;
} Drawing;

/* The document of a job, its model and its rows. */
typedef struct DrawingOf {
    const cJSON *job, *model; /* documents without mistakes */
    Compiled *compiled;
    const JobSpec *spec;
    const char *const *columns; /* n_columns: names of the stored ones */
    size_t n_columns;
    const double *row; /* the first of the trajectory, for the look at matrices; NULL: none yet */
} DrawingOf;

/* The job's scene, else the model's, else one by the default rules; the figures likewise, else
 * none. */
Status drawing_new(const DrawingOf *of, Arena *arena, Drawing *ret, Error *err) MUST_CHECK;
void drawing_done(Drawing *drawing); /* {0} is fine */

/* {"drawn_by", "scene", "figures", "columns", "warnings"} */
Status drawing_write(const Drawing *drawing, Text *out, Error *err) MUST_CHECK;

/* Evaluates the columns on rows of the job: first all columns, then the rates that are known.
 * Returns their number in *ret_n and their names, in the arena. */
Status drawing_observer(const Drawing *drawing, const DrawingOf *of, Arena *arena,
                        RowObserver **ret_observer, const char *const **ret_names, size_t *ret_n,
                        Error *err) MUST_CHECK;

/* default_scene.c */

/* A scene made from the names of the model's coordinates (docs/reference/scene.md). The caller
 * deletes it; NULL when out of memory. */
cJSON *default_scene(const Compiled *compiled);

#endif
