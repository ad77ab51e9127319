/* SUNDIALS with the equations by hand, where it is installed: ARKODE's explicit method of order 8
 * (Fehlberg's) and CVODE's Adams methods with functional iteration. */
#include "bench/peers/peers.h"

#if __has_include(<arkode/arkode_erkstep.h>)
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

enum { STEPS_MOST = 10 * 1000 * 1000 };

static int rates_of(realtype t, N_Vector y, N_Vector f, void *self)
{
    const Problem *problem = self;
    problem->rates(t, N_VGetArrayPointer(y), N_VGetArrayPointer(f));
    return 0;
}

static bool erk_integrate(const Problem *problem, double tolerance, SUNContext context, N_Vector y,
                          Work *ret_work)
{
    void *memory = ERKStepCreate(rates_of, 0, y, context);
    double t;
    long steps = 0, evaluations = 0;

    bool done = memory && ERKStepSStolerances(memory, tolerance, tolerance) == 0 &&
                ERKStepSetTableNum(memory, ARKODE_FEHLBERG_13_7_8) == 0 &&
                ERKStepSetUserData(memory, (void *)(size_t)problem) == 0 &&
                ERKStepSetMaxNumSteps(memory, STEPS_MOST) == 0 &&
                ERKStepSetStopTime(memory, problem->end) == 0 &&
                ERKStepEvolve(memory, problem->end, y, &t, ARK_NORMAL) >= 0 &&
                ERKStepGetNumStepAttempts(memory, &steps) == 0 &&
                ERKStepGetNumRhsEvals(memory, &evaluations) == 0;
    *ret_work = (Work){(unsigned long)steps, (unsigned long)evaluations};
    ERKStepFree(&memory);
    return done;
}

static bool adams_integrate(const Problem *problem, double tolerance, SUNContext context,
                            N_Vector y, Work *ret_work)
{
    void *memory = CVodeCreate(CV_ADAMS, context);
    SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, context);
    double t;
    long steps = 0, evaluations = 0;

    bool done = memory && solver && CVodeInit(memory, rates_of, 0, y) == 0 &&
                CVodeSStolerances(memory, tolerance, tolerance) == 0 &&
                CVodeSetNonlinearSolver(memory, solver) == 0 &&
                CVodeSetUserData(memory, (void *)(size_t)problem) == 0 &&
                CVodeSetMaxNumSteps(memory, STEPS_MOST) == 0 &&
                CVodeSetStopTime(memory, problem->end) == 0 &&
                CVode(memory, problem->end, y, &t, CV_NORMAL) >= 0 &&
                CVodeGetNumSteps(memory, &steps) == 0 &&
                CVodeGetNumRhsEvals(memory, &evaluations) == 0;
    *ret_work = (Work){(unsigned long)steps, (unsigned long)evaluations};
    CVodeFree(&memory);
    SUNNonlinSolFree(solver);
    return done;
}

typedef bool Solve(const Problem *problem, double tolerance, SUNContext context, N_Vector y,
                   Work *ret_work);

static bool integrate(Solve *solve, const Problem *problem, double tolerance, double *q, double *v,
                      Work *ret_work)
{
    double start[STATE_MOST];
    SUNContext context = NULL;

    if (SUNContext_Create(NULL, &context) != 0)
        return false;
    memcpy(start, problem->start, sizeof start);
    N_Vector y = N_VMake_Serial((sunindextype)problem->size, start, context);
    const bool done = y && solve(problem, tolerance, context, y, ret_work);
    problem->tell(start, q, v);
    N_VDestroy(y);
    SUNContext_Free(&context);
    return done;
}

bool sundials_erk(const Problem *problem, double tolerance, double *q, double *v,
                  double *ret_seconds, Work *ret_work)
{
    (void)ret_seconds;
    return integrate(erk_integrate, problem, tolerance, q, v, ret_work);
}

bool sundials_adams(const Problem *problem, double tolerance, double *q, double *v,
                    double *ret_seconds, Work *ret_work)
{
    (void)ret_seconds;
    return integrate(adams_integrate, problem, tolerance, q, v, ret_work);
}
#else
bool sundials_erk(const Problem *problem, double tolerance, double *q, double *v,
                  double *ret_seconds, Work *ret_work)
{
    (void)problem, (void)tolerance, (void)q, (void)v, (void)ret_seconds, (void)ret_work;
    return false;
}

bool sundials_adams(const Problem *problem, double tolerance, double *q, double *v,
                    double *ret_seconds, Work *ret_work)
{
    return sundials_erk(problem, tolerance, q, v, ret_seconds, ret_work);
}
#endif
