/* Whether the constraints determine the dependent velocities at the start. */
#include "core/motion/voronec/voronec.h"

/* Smallest singular value of the constraints' part for the dependent velocities that determines
 * them. Each row is scaled to a largest entry of 1. A convention. */
static const double UNDETERMINED = 1e-8;

Status voronec_check(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    double smallest;
    Status status = dependent_quality(question, &smallest, err);

    if (status != OK || smallest > UNDETERMINED)
        return status;
    diagnostics_add(diag, question->model->given.n_base ? "/model/base" : "/formulation", -1,
                    "choose other base coordinates, or leave \"base\" out",
                    "the constraints do not determine the dependent velocities at the initial "
                    "state: their matrix S_dep is singular");
    return error_set(err, ERR_INVALID, "Voronec's equations do not apply");
}
