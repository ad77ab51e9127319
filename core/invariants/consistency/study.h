/* Nonholonomic against vakonomic dynamics: the study of one system.
 *
 * Sections mu = phi(q, v, t) are tried one after the other (candidates.c). If none is strongly
 * consistent, random motions, and the motion of the run, are tested for multipliers of their own
 * (individual.c). */
#ifndef CORE_INVARIANTS_CONSISTENCY_STUDY_H
#define CORE_INVARIANTS_CONSISTENCY_STUDY_H

#include "core/invariants/consistency/motion.h"
#include "core/invariants/consistency/options.h"
#include "core/invariants/consistency/section.h"

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
    double refuted_by;     /* the smallest residual of these */
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
