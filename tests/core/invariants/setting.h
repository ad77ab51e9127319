/* A model with all that an analysis asks for, and what it finds. */
#ifndef TESTS_CORE_INVARIANTS_SETTING_H
#define TESTS_CORE_INVARIANTS_SETTING_H

#include <check.h>

#include "core/invariants/analysis.h"

enum { SETTING_MAX = 8 };

/* At most 8 of everything; ended by NULL. */
typedef struct SettingModel {
    const char *coordinates[SETTING_MAX];
    const char *lagrangian;
    const char *constraints[SETTING_MAX]; /* named c1, c2, ... */
    const char *forces[2 * SETTING_MAX];  /* coordinate, expression, ... */
    /* name, coordinate, expression, coordinate, expression, ..., NULL */
    const char *symmetries[SETTING_MAX][2 * SETTING_MAX];
    double centre[SETTING_MAX]; /* of the states; 0: 0.3 */
} SettingModel;

typedef struct Setting {
    Arena *arena;
    Model *model;
    ModelPrograms *programs;
    ModelEval *eval;
    size_t rows[SETTING_MAX];
    double centre[SETTING_MAX], width[SETTING_MAX], q0[SETTING_MAX], v0[SETTING_MAX];
    AnalysisContext context; /* 64 states around `centre`, no trajectory */
    Findings findings;
} Setting;

/* Fails the test on mistakes. All constraints must be independent. */
Setting *setting_new(const SettingModel *model);
void setting_free(Setting *setting);

/* Runs an analysis that must succeed; its findings are added. */
void setting_run(Setting *setting, const char *analysis, const Value *options);
/* The verdict of this name; NULL when there is none. */
const Verdict *setting_verdict(const Setting *setting, const char *name);

/* How fast a quantity, given as text, changes along the motion of Lagrange-d'Alembert, relative to
 * its size and the speed: the largest central difference over the states. */
double setting_rate(const Setting *setting, const char *quantity);

#endif
