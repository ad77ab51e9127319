/* Private to api/documents: parts of documents, read into the core's plain structs.
 *
 * Readers add diagnostics and go on; the caller compares the count of mistakes. The structs are
 * only valid if there were no mistakes. Everything lives in the reader's arena. */
#ifndef API_DOCUMENTS_READ_H
#define API_DOCUMENTS_READ_H

#include <stddef.h>

#include "api/documents/documents.h"
#include "api/json/reader.h"
#include "core/ensemble/ensemble.h"
#include "core/job.h"

/* Warnings: remarks that are no mistakes. */
enum { WARNINGS_MAX = 8 };
typedef struct Warnings {
    const char *items[WARNINGS_MAX];
    size_t n;
} Warnings;
void warn(Warnings *warnings, const char *text); /* a literal, or in the arena */

/* read_common.c */

/* The member, or a mistake at the object. */
JsonValue read_required(JsonReader *reader, JsonValue object, const char *name);
/* A number, or a string with a constant expression such as "pi/3". */
bool read_constant(JsonReader *reader, JsonValue value, double *ret_value);
/* An object of at most `most` expressions by name. An absent value reads as none. */
void read_named_texts(JsonReader *reader, JsonValue object, const char *expected, size_t most,
                      const NamedText **ret_texts, size_t *ret_n);
/* An object of at most `most` numbers by name; with `constants`, also constant expressions. */
void read_named_values(JsonReader *reader, JsonValue object, bool constants, size_t most,
                       const NamedValue **ret_values, size_t *ret_n);
/* A choice among `names`. The names in `later` are known, but not available in this version. */
typedef struct NameChoice {
    const char *const *names;
    size_t n;
    const char *const *later;
    size_t n_later;
    const char *noun; /* "formulation" */
} NameChoice;
bool read_choice(JsonReader *reader, JsonValue value, const NameChoice *choice,
                 const char **ret_name);

/* input.c */

/* Does the model refer to one elsewhere: {"id": ..} or {"catalog": ..}? */
bool model_is_reference(const cJSON *model);

/* read_model.c */

/* True if there were no mistakes except unknown members: then the texts can be examined further. */
bool read_model(JsonReader *reader, JsonValue model, ModelDocument *ret_document);

/* read_initial.c */
void read_initial(JsonReader *reader, JsonValue initial, JobSpec *spec);
void read_boundary(JsonReader *reader, JsonValue boundary, JobSpec *spec);

/* read_formulation.c */

/* Reads "formulation" and "compare". */
void read_formulations(JsonReader *reader, JsonValue job, JobSpec *spec);

/* read_motion.c */
/* After the start is known: initial or boundary. */
void read_time(JsonReader *reader, JsonValue time, JobSpec *spec);
/* A member of `integrator` other than `method`. */
typedef struct IntegratorOption {
    const char *name, *meaning;
    bool free, fixed;    /* it goes with methods of adaptive step size; of fixed step size */
    bool required;       /* it must be given */
    size_t number, flag; /* offsetof() of its default in a JobSpec; 0: no default */
} IntegratorOption;
size_t integrator_options(const IntegratorOption **ret_options);
void read_integrator(JsonReader *reader, JsonValue integrator, JobSpec *spec, Warnings *warnings);

/* read_events.c */
void read_observe(JsonReader *reader, JsonValue observe, size_t most, JobSpec *spec);
void read_events(JsonReader *reader, JsonValue events, JobSpec *spec);

/* read_scene.c */

/* Reads "scene" and "figures" of a job or of a model. */
void read_drawing(JsonReader *reader, JsonValue owner, DrawingTexts *ret);

/* read_notify.c */
void read_notify(JsonReader *reader, JsonValue notify, NotifyInput *ret_notify);

/* read_ensemble.c */

/* Reads "vary" and "ensemble", after everything else. Returns the name of the design; NULL: the job
 * is no ensemble. */
const char *read_ensemble(JsonReader *reader, JsonValue job, JobSpec *spec,
                          EnsembleSpec *ret_ensemble);

#endif
