/* Documents: JSON texts to the core's plain structs and back. Knows no sockets and no database.
 *
 * Readers are strict: RFC 8259 and UTF-8, depth 64, no duplicate keys, unknown members refused with
 * a suggestion; all mistakes of a document at once, each with its JSON pointer. */
#ifndef API_DOCUMENTS_DOCUMENTS_H
#define API_DOCUMENTS_DOCUMENTS_H

#include "api/documents/provenance.h"
#include "api/documents/result_writer.h"
#include "api/webhook_url.h"
#include "core/base/diagnostics.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/ensemble/ensemble.h"
#include "core/job.h"
#include "core/simulate.h"
#include "db/store.h"

/* Entries of the lists of a document. Those by coordinate and by parameter have the limits of the
 * model (core/model/model.h), those of numbers that of all values (JSON_MAX_VALUES). */
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
    OBSERVE_MOST = 100         /* at a time, of a job that has run */
};

typedef struct ModelInput {
    const char *name;
    ModelDocument document;
    const char *canonical; /* canonical JSON text: sorted keys, shortest numbers */
    size_t canonical_size;
    char id[HASH_TEXT_MAX];     /* hash of it */
    char matter[HASH_TEXT_MAX]; /* the same without what no result depends on */
    bool elsewhere;             /* the job only names it */
    bool known;                 /* by its text (ModelSource.known): the document is empty */
    const char *text;           /* as it stands in the bytes of the job; NULL: elsewhere */
    size_t text_size;
} ModelInput;

/* Where a job's model comes from when it is not inline. */
typedef struct ModelSource {
    void *self;
    /* The stored model document with this id, in the arena; ERR_NOT_FOUND when there is none. NULL:
     * no stored models here. */
    Status (*stored)(void *self, const char *id, Arena *arena, const char **ret_text,
                     size_t *ret_size, Error *err);
    /* Of a job that was accepted before, the model that its reference stood for then, which the
     * store keeps for it; NULL: the job is new. */
    const char *accepted;
    /* The model that stood in a document in these very bytes, when it is remembered: all of
     * *ret_model but the document itself, in the arena. NULL: none is. */
    bool (*known)(void *self, const char *text, size_t size, Arena *arena, ModelInput *ret_model);
} ModelSource;

/* Whom to tell of the end of a job. */
typedef struct NotifyInput {
    bool given;
    WebhookUrl url;
    const char *on; /* JSON list of names of ends, "done" for any */
} NotifyInput;

typedef struct JobInput {
    JobSpec spec;
    const char
        *design; /* of an ensemble: "grid", "zip", or the kind of its design; NULL: a plain job */
    EnsembleSpec ensemble;
    ModelInput model;
    const char *labels; /* JSON object text */
    int priority;
    double timeout;       /* seconds; 0: none given */
    int64_t not_after_ms; /* Unix time in ms; 0: none given */
    bool cache;
    NotifyInput notify;
    char request_hash[HASH_TEXT_MAX]; /* canonical request without what concerns the service only */
    char
        reuse_key[HASH_TEXT_MAX]; /* the same with the model's matter: what the result depends on */
    const char *const *warnings;  /* accepted but without effect here, in words */
    size_t n_warnings;
} JobInput;

/* ERR_INVALID with mistakes in diag. *ret_is_json (written then, too; may be NULL) false: the bytes
 * are not JSON (a 400; the one mistake's offset counts in all of them), else it is a document that
 * cannot be simulated (a 422). Everything lives in the arena. The pointers in the structs start
 * with "/model" for a job, "" for a model document. A job whose mistakes are elsewhere has the
 * mistakes of its model reported as well. */
Status job_input_read(const char *bytes, size_t size, const ModelSource *source, Arena *arena,
                      Diagnostics *diag, JobInput *ret_input, bool *ret_is_json,
                      Error *err) MUST_CHECK;
/* Of a job that was accepted before: everything but its model, its labels and the hashes. */
Status job_input_reread(const char *bytes, size_t size, Arena *arena, Diagnostics *diag,
                        JobInput *ret_input, Error *err) MUST_CHECK;
Status model_input_read(const char *bytes, size_t size, Arena *arena, Diagnostics *diag,
                        ModelInput *ret_input, bool *ret_is_json, Error *err) MUST_CHECK;

/* {"observe": {NAME: EXPRESSION}}; as job_input_read(), with the observables in the arena. */
Status observe_input_read(const char *bytes, size_t size, Arena *arena, Diagnostics *diag,
                          const NamedText **ret_observe, size_t *ret_n, bool *ret_is_json,
                          Error *err) MUST_CHECK;

/* A problem document (RFC 9457). diag may be NULL. `instance` may be NULL. */
void problem_write(Text *out, int status, const char *code, const char *title, const char *detail,
                   const char *instance, const Diagnostics *diag);

/* Progress of a running job, known to the worker only. */
typedef struct JobProgress {
    const char
        *phase; /* "deriving", "integrating", "analysing", "storing", "waiting"; NULL: unknown */
    double fraction, t, eta_s; /* eta_s < 0: unknown */
    uint64_t steps;
    double rate;       /* of an ensemble: members a second; 0: unknown */
    uint64_t unstored; /* members that have ended, besides those that the job counts */
} JobProgress;

/* What the members of an ensemble are, as it is shown with its job: {"kind", "seed", "axes":
 * [{"path"}, ..]}. */
void design_write(Text *out, const char *kind, const DesignSpec *design);

/* Where a job stands in the queue. */
typedef struct JobPlace {
    uint64_t position; /* jobs before it */
    double eta_s;      /* until it begins; < 0: not known */
} JobPlace;

/* The job resource. progress may be NULL; place NULL: not queued. */
void job_write(Text *out, const JobRecord *job, const JobProgress *progress, const JobPlace *place);

/* Of a run that is over. Numbers that are not finite are written null. origin NULL: not known. */
void diagnostics_write(Text *out, const SimulationResult *result, const Origin *origin);
void invariants_write(Text *out, const SimulationResult *result);

typedef struct MemberFailure {
    uint64_t member;
    MemberState state;
    const char *message; /* NULL: not known */
} MemberFailure;

/* What has become of the members of an ensemble that is over. */
typedef struct EnsembleEvidence {
    uint64_t total, states[MEMBER_STATES];
    double worst_residual, energy_balance_max; /* of those that have one; else NaN */
    uint64_t steps;
    uint64_t warned, first_warned; /* how many have warnings; the first of them */
    const MemberFailure *failures; /* the first of those that failed, by number */
    size_t n_failures;
} EnsembleEvidence;
void ensemble_evidence_write(Text *out, const EnsembleEvidence *evidence, const Origin *origin);

/* What verdicts come to. disagree: those that are predicted to hold on all motions, and were not
 * observed on this one. */
typedef struct VerdictCounts {
    size_t yes, no, undecided, disagree;
} VerdictCounts;
VerdictCounts verdicts_count(const Verdict *verdicts, size_t n);

/* What a run comes to, in a few numbers; those that are not finite are written null. */
typedef struct JobDigest {
    uint64_t steps;
    double worst_residual, energy_balance;
    const VerdictCounts *verdicts; /* NULL: of an ensemble, whose members have theirs */
    double wall_s;
    const char *ended_by; /* the terminal event; NULL: none */
} JobDigest;
void job_digest_write(Text *out, const JobDigest *digest);
/* The terminal event of a digest that was written, in the arena. NULL: none, or the digest does not
 * say it. */
const char *job_digest_ended_by(const char *digest, Arena *arena);

void structure_write(Text *out, const Structure *structure, const Model *model);
void equations_write(Text *out, const PrintedEquations *equations, PrintFormat format,
                     const char *formulation);

/* language.c */

/* Everything that a document may name: functions, methods, formulations, analyses, with their
 * options. */
void language_write(Text *out);

#endif
