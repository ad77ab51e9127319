/* Documents: JSON texts to the core's plain structs and back. No sockets and no database.
 *
 * Readers are strict: RFC 8259 and UTF-8, depth 64, no duplicate keys. Unknown members are refused
 * with a suggestion. All mistakes of a document are reported at once, each with its JSON
 * pointer. */
#ifndef API_DOCUMENTS_DOCUMENTS_H
#define API_DOCUMENTS_DOCUMENTS_H

#include "api/documents/provenance.h"
#include "api/documents/result_writer.h"
#include "api/net/webhook_url.h"
#include "core/base/diagnostics.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/ensemble/ensemble.h"
#include "core/job.h"
#include "core/simulate.h"
#include "db/store.h"

/* Maximal entries of the lists of a document. Lists by coordinate and by parameter have the limits
 * of the model (core/model/model.h); lists of numbers have the limit of all values
 * (JSON_MAX_VALUES). */
enum {
    JOB_MAX_COMPARED = 16,
    JOB_MAX_OBSERVABLES = 1000,
    JOB_MAX_EVENTS = 1000,
    JOB_MAX_ANALYSES = 100,
    JOB_MAX_SENSITIVITIES = 100,
    JOB_MAX_GUESSES = 100, /* of a boundary problem */
    JOB_MAX_LABELS = 32,
    JOB_MAX_VARIED = 100,
    JOB_MAX_REDUCTIONS = 200,
    JOB_MAX_CONDITIONS = 1000, /* of a label */
    JOB_MAX_OVER_TIME = 200,   /* columns */
    OBSERVE_MOST = 100,        /* at a time, for a job that has run */
    SCENE_MAX_ITEMS = 200,
    SCENE_MAX_FRAMES = 64,
    SCENE_MAX_TURNS = 16,      /* factors of a rotation */
    SCENE_MAX_POINTS = 10000,  /* of a polyline */
    SCENE_MAX_TEXTS = 4000,    /* of a scene and figures, samples counted one by one */
    SCENE_MAX_BYTES = 4 << 20, /* of these texts */
    DRAWING_MAX_FIGURES = 50,
    FIGURE_MAX_CURVES = 20
};

/* The texts of `scene` and `figures`. */
typedef struct DrawingTexts {
    NamedText *texts; /* n; without names */
    bool *conditions; /* n: which of them are conditions */
    size_t n;
} DrawingTexts;

typedef struct ModelInput {
    const char *name;
    ModelDocument document;
    const char *canonical; /* canonical JSON text: sorted keys, shortest numbers */
    size_t canonical_size;
    char id[HASH_TEXT_MAX];     /* hash of `canonical` */
    char key[HASH_TEXT_MAX];    /* the same without scene and figures: of its compiled form */
    char matter[HASH_TEXT_MAX]; /* the same without name and description as well */
    bool elsewhere;             /* the job refers to it by id or catalog name */
    bool known;                 /* by its text (ModelSource.known); then `document` is empty */
    const char *text;           /* in the bytes of the job; NULL: elsewhere */
    size_t text_size;
    DrawingTexts drawing; /* of a model in the document; empty if it is known or elsewhere */
} ModelInput;

/* The source of models that are not inline. */
typedef struct ModelSource {
    void *self;
    /* The stored model document with this id, in the arena; ERR_NOT_FOUND if there is none. NULL:
     * stored models are not available. */
    Status (*stored)(void *self, const char *id, Arena *arena, const char **ret_text,
                     size_t *ret_size, Error *err);
    /* For a job that was accepted before, the id of the model that its reference meant then; the
     * store keeps that model for it. NULL: the job is new. */
    const char *accepted;
    /* Looks for a remembered model with exactly these bytes in a job. Sets all of *ret_model except
     * `document`, in the arena. NULL: no models are remembered. */
    bool (*known)(void *self, const char *text, size_t size, Arena *arena, ModelInput *ret_model);
} ModelSource;

/* The notification at the end of a job. */
typedef struct NotifyInput {
    bool given;
    WebhookUrl url;
    const char *on; /* JSON list of the ends to notify about, "done" for any */
} NotifyInput;

typedef struct JobInput {
    JobSpec spec;
    const char
        *design; /* of an ensemble: "grid", "zip" or the kind of its design; NULL: a plain job */
    EnsembleSpec ensemble;
    ModelInput model;
    DrawingTexts drawing; /* of the job's own scene and figures */
    const char *labels;   /* JSON object text */
    int priority;
    double timeout;       /* seconds; 0: none given */
    int64_t not_after_ms; /* Unix time in ms; 0: none given */
    bool cache;
    NotifyInput notify;
    char request_hash[HASH_TEXT_MAX]; /* of the canonical request without members that only concern
                                       * the service */
    char reuse_key[HASH_TEXT_MAX]; /* the same with the model's matter instead: everything that the
                                   * result depends on */
    const char *const *warnings;   /* about members without effect here, in words */
    size_t n_warnings;
} JobInput;

/* ERR_INVALID with mistakes in diag. *ret_is_json (also written then; may be NULL) false: the bytes
 * are not JSON (a 400; the offset of the one mistake counts in all bytes). True: the document
 * cannot be simulated (a 422). Everything lives in the arena. Pointers in the structs start with
 * "/model" for a job, "" for a model document. If a job has mistakes outside its model, those of
 * the model are reported as well. */
Status job_input_read(const char *bytes, size_t size, const ModelSource *source, Arena *arena,
                      Diagnostics *diag, JobInput *ret_input, bool *ret_is_json,
                      Error *err) MUST_CHECK;
/* Rereads a job that was accepted before: everything but its model, drawing, labels and hashes. */
Status job_input_reread(const char *bytes, size_t size, Arena *arena, Diagnostics *diag,
                        JobInput *ret_input, Error *err) MUST_CHECK;
Status model_input_read(const char *bytes, size_t size, Arena *arena, Diagnostics *diag,
                        ModelInput *ret_input, bool *ret_is_json, Error *err) MUST_CHECK;

/* Reads {"observe": {NAME: EXPRESSION}}, like job_input_read(); the observables live in the
 * arena. */
Status observe_input_read(const char *bytes, size_t size, Arena *arena, Diagnostics *diag,
                          const NamedText **ret_observe, size_t *ret_n, bool *ret_is_json,
                          Error *err) MUST_CHECK;

/* A problem document (RFC 9457). diag may be NULL. `instance` may be NULL. */
void problem_write(Text *out, int status, const char *code, const char *title, const char *detail,
                   const char *instance, const Diagnostics *diag);

/* Progress of a running job; only its worker knows it. */
typedef struct JobProgress {
    const char
        *phase; /* "deriving", "integrating", "analysing", "storing", "waiting"; NULL: unknown */
    double fraction, t, eta_s; /* eta_s < 0: unknown */
    uint64_t steps;
    double rate;       /* of an ensemble: members a second; 0: unknown */
    uint64_t unstored; /* members that have ended and are not yet counted in the job */
} JobProgress;

/* The description of an ensemble's members that is shown with its job: {"kind", "seed", "axes":
 * [{"path"}, ..]}. */
void design_write(Text *out, const char *kind, const DesignSpec *design);

/* The place of a job in the queue. */
typedef struct JobPlace {
    uint64_t position; /* jobs before it */
    double eta_s;      /* until it begins; < 0: unknown */
} JobPlace;

/* The job resource. progress may be NULL; place NULL: not queued. */
void job_write(Text *out, const JobRecord *job, const JobProgress *progress, const JobPlace *place);

/* About a run that is over. Non-finite numbers are written null. origin NULL: unknown. */
void diagnostics_write(Text *out, const SimulationResult *result, const Origin *origin);
void invariants_write(Text *out, const SimulationResult *result);

typedef struct MemberFailure {
    uint64_t member;
    MemberState state;
    const char *message; /* NULL: unknown */
} MemberFailure;

/* The outcome of the members of an ensemble that is over. */
typedef struct EnsembleEvidence {
    uint64_t total, states[MEMBER_STATES];
    double worst_residual, energy_balance_max; /* over the members that have one; else NaN */
    uint64_t steps;
    uint64_t warned, first_warned; /* the number of members with warnings; the first such member */
    const MemberFailure *failures; /* the first members that failed, by number */
    size_t n_failures;
} EnsembleEvidence;
void ensemble_evidence_write(Text *out, const EnsembleEvidence *evidence, const Origin *origin);

/* Numbers of verdicts. disagree: verdicts that predict conservation on all motions although this
 * motion did not show it. */
typedef struct VerdictCounts {
    size_t yes, no, undecided, disagree;
} VerdictCounts;
VerdictCounts verdicts_count(const Verdict *verdicts, size_t n);

/* Key figures of a run; non-finite numbers are written null. */
typedef struct JobDigest {
    uint64_t steps;
    double worst_residual, energy_balance;
    const VerdictCounts *verdicts; /* NULL: of an ensemble, whose members have their own */
    double wall_s;
    const char *ended_by; /* the terminal event; NULL: none */
} JobDigest;
void job_digest_write(Text *out, const JobDigest *digest);
/* The terminal event in a written digest, in the arena. NULL: none, or the digest does not have
 * it. */
const char *job_digest_ended_by(const char *digest, Arena *arena);

void structure_write(Text *out, const Structure *structure, const Model *model);
void equations_write(Text *out, const PrintedEquations *equations, PrintFormat format,
                     const char *formulation);

/* language.c */

/* All names that a document may use: functions, methods, formulations, analyses, with their
 * options. */
void language_write(Text *out);

#endif
