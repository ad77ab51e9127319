/* The table of methods, by name. */
#include "core/integrate/methods.h"

#include <string.h>

#include "core/integrate/method.h"

#define METHOD(name) &ode_##name,
#define NAME(name) #name,
static const OdeMethod *const METHODS[] = {ODE_METHOD_LIST(METHOD)};
static const char *const NAMES[] = {"auto", ODE_METHOD_LIST(NAME)};
enum { N_METHODS = sizeof METHODS / sizeof *METHODS, N_NAMES = sizeof NAMES / sizeof *NAMES };

const OdeMethod *ode_method_find(const char *name)
{
    if (strcmp(name, "auto") == 0)
        return &ode_dop853;
    for (size_t i = 0; i < N_METHODS; i++)
        if (strcmp(name, METHODS[i]->name) == 0)
            return METHODS[i];
    return NULL;
}

const char *ode_method_name(const OdeMethod *method)
{
    return method->name;
}

bool ode_method_fixed_step(const OdeMethod *method)
{
    return method->fixed_step;
}

bool ode_method_needs_jacobian(const OdeMethod *method)
{
    return method->needs_jacobian;
}

size_t ode_method_names(const char *const **ret_names)
{
    *ret_names = NAMES;
    return N_NAMES;
}
