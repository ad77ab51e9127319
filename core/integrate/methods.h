/* The integration methods by name: the table is ODE_METHOD_LIST in method.h. */
#ifndef CORE_INTEGRATE_METHODS_H
#define CORE_INTEGRATE_METHODS_H

#include "core/integrate/ode.h"

/* NULL when there is no such method. "auto" is dop853. */
const OdeMethod *ode_method_find(const char *name);

const char *ode_method_name(const OdeMethod *method);
bool ode_method_fixed_step(const OdeMethod *method); /* wants OdeOptions.step */
bool ode_method_needs_jacobian(const OdeMethod *method);

/* The names clients may write, for messages and checks. */
size_t ode_method_names(const char *const **ret_names);

#endif
