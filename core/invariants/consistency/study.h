/* Nonholonomic against vakonomic dynamics: the study of one system (consistency.c). */
#ifndef CORE_INVARIANTS_CONSISTENCY_STUDY_H
#define CORE_INVARIANTS_CONSISTENCY_STUDY_H

#include "core/invariants/analysis.h"
#include "core/invariants/consistency/section.h"

/* The individual test: is one nonholonomic motion a vakonomic one for some multipliers?
 *
 * Along a motion with reactions A^T lambda the multipliers of a vakonomic motion obey a linear
 * equation, mudot = lambda - P C^T mu with P A^T = 1, whose solutions are mu = Phi mu0 + mu_p.
 * They make it vakonomic if N^T C^T mu = 0 all along (see section.h for A, C and N; M. Crampin,
 * T. Mestdag, end of section 5). The best mu0 is found by least squares over the motion.
 *
 * A section that is strongly consistent gives such multipliers to every motion. A motion without
 * such multipliers proves that there is no such section around it. */

/* Larger systems are not tested. Conventions. */
enum { INDIVIDUAL_MAX_COORDINATES = 100, INDIVIDUAL_MAX_CONSTRAINTS = 24 };

typedef struct MotionTest {
    const SectionProblem *problem;
    double t0, t_end;
    const double *q0, *v0; /* n: consistent */
    size_t samples;        /* >= 2, evenly spaced from t0 to t_end */
    /* A motion from (t0, q0, v0), or NULL: its states are the samples then, at most `samples` of
     * them. The test ends where an impact makes it differ from the motion that is integrated. */
    const Trajectory *follow;
    const double *mu0; /* r: test these multipliers, instead of the best ones; NULL: none given */
} MotionTest;

typedef struct MotionFinding {
    size_t samples;  /* reached; 0: the test could not be made */
    double t;        /* of the last of them */
    double residual; /* largest, relative to the terms and the forces that act */
    size_t failures; /* samples at which it was above VERDICT_FAILS */
    size_t freedom;  /* dimension of the set of multipliers with the same residual */
    double *mu0;     /* r: of the rows in use; at t0, the smallest; the caller's */
} MotionFinding;

/* ret->mu0 comes with space for r. If the motion ends early (a singularity), its samples count. */
Status motion_test(const MotionTest *test, MotionFinding *ret, Error *err) MUST_CHECK;

/* Additions of a client to the section mu = p: another complement, or constants of motion. */

typedef struct SectionOptions {
    const ModelField *complement; /* n_complement; NULL: none given */
    size_t n_complement;
    bool given; /* the complement, by the client */
    bool adds, adds_to_fields;
    Expr *by_constraint; /* model->r: added to the multiplier of the equation as written */
    Expr *by_field;      /* n_complement: added to the momentum of this field */
} SectionOptions;

/* Sections in the list. Convention. */
enum { MAX_SECTIONS = 8 };

typedef struct Section {
    const char *text;
    Expr *mu; /* r */
    SectionVerdict verdict;
} Section;

typedef struct Study {
    const AnalysisContext *asked; /* with the motion */
    AnalysisContext context;      /* with states of Lagrange-d'Alembert */
    SectionProblem problem;
    SectionOptions options;
    Section sections[MAX_SECTIONS];
    size_t n_sections;
    const Section *strong; /* NULL: none was found */
    bool dependent_tried;  /* the unit vectors of the context's dependent coordinates */
    size_t tried, refuted; /* random motions, and those that are not vakonomic */
    Verdict contradiction; /* no, if a state is proved to lie on no vakonomic motion */
    Predicted predicted;
} Study;

/* Fills the sections: those of the options, else mu = p for complements of the allowed velocities,
 * and mu = 0; study->strong if one of them is strongly consistent. */
Status study_candidates(Study *study, Error *err) MUST_CHECK;
/* Looks for an addition to the first section; if found, one section more. */
Status study_search(Study *study, Error *err) MUST_CHECK;

/* Tries to prove that no section is strongly consistent: study->contradiction. */
Status study_contradict(Study *study, Error *err) MUST_CHECK;

/* Whether the system is too large for motions with multipliers of their own. */
bool study_too_large(const Study *study);
/* Random motions that are not vakonomic, until two are found. */
Status study_refute(Study *study, Error *err) MUST_CHECK;
/* The motion of the run itself, if there is one: "individual" of the record, and the verdict's
 * observation. */
Status study_individual(const Study *study, Value *record, Verdict *verdict, Error *err) MUST_CHECK;

#endif
