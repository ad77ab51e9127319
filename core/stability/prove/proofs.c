/* Strict minima of the energy (J. L. Lagrange, P. G. Lejeune Dirichlet; W. Thomson and P. G. Tait
 * for drag). */
#include "core/stability/prove/proofs.h"

/* Reactions of constraints that are linear and homogeneous in the velocities do no work, whether
 * they are integrable or not. The energy is conserved or falls, and may have a minimum. */
bool equilibrium_energy_may_tell(const Equilibrium *x)
{
    const Model *model = x->context->model;
    bool result = x->s == 0 && local_is_autonomous(model);

    for (size_t k = 0; k < model->r; k++)
        result = result && model->constraints[k].kind <= CONSTRAINT_LINEAR;
    return result;
}

/* By second derivatives, or higher ones. */
static Status ask_derivatives(const Equilibrium *x, Enclosed *enclosed, const Drag *drag,
                              EnergyShape *ret, Error *err)
{
    Status status = OK;

    if (x->family.dimension == 0 && x->family.sharp)
        status = enclosed_minimum(enclosed, x->n, &ret->minimum, err);
    if (status == OK && !ret->minimum && enclosed->at_known)
        status = equilibrium_degenerate(enclosed, drag->symmetric, ret, err);
    if (status == OK && !ret->minimum && !ret->falls && enclosed->at_known)
        status = equilibrium_saddle(enclosed, drag, ret, err);
    if (status == OK && !ret->minimum && !ret->falls && enclosed->at_known)
        status = equilibrium_principal(enclosed, drag, ret, err);
    return status;
}

Status equilibrium_energy(const Equilibrium *x, Enclosed *enclosed, EnergyShape *ret, Error *err)
{
    Drag drag;

    *ret = (EnergyShape){.order = 2};
    if (!equilibrium_energy_may_tell(x))
        return OK;
    Status status = drag_find(x, &drag, err);
    if (status != OK || !drag.dissipative)
        return status;
    /* of derivatives those along the places that holonomic constraints leave count */
    if (model_is_holonomic(x->context->model))
        status = ask_derivatives(x, enclosed, &drag, ret, err);
    const bool rough = status == ERR_INVALID; /* there are no derivatives */
    if ((status == OK || rough) && !ret->minimum && !ret->falls && enclosed->at_known) {
        status = equilibrium_squares(enclosed, &ret->squares, err);
        ret->minimum = status == OK && ret->squares;
        if (status == OK && rough && !ret->minimum)
            status = error_set(err, ERR_INVALID, "the energy has no derivatives there");
    }
    return status;
}
