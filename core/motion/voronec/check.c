/* Whether the constraints determine the dependent velocities at the start. */
#include "core/base/accuracy.h"
#include "core/motion/voronec/voronec.h"

Status voronec_check(const MotionQuestion *question, Diagnostics *diag, Error *err)
{
    double smallest;
    Status status = dependent_quality(question, &smallest, err);

    /* the smallest singular value; each row is scaled to a largest entry of 1 */
    if (status != OK || smallest > ACCURACY_HALF)
        return status;
    diagnostics_add(diag, question->model->given.n_base ? "/model/base" : "/formulation", -1,
                    "choose other base coordinates, or leave \"base\" out",
                    "the constraints do not determine the dependent velocities at the initial "
                    "state: their matrix S_dep is singular");
    return error_set(err, ERR_INVALID, "Voronec's equations do not apply");
}
