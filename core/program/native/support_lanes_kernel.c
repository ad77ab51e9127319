/* The functions that machine code calls on lanes, for each instruction set (kernels.h). Operands
 * and results go through memory. */
#include "core/program/vector/vec_kernel.h"

#include "core/program/kernels.h"

#define PARAMETERS_1 const double *from_a, double *to
#define PARAMETERS_2 const double *from_a, const double *from_b, double *to
#define LOADS_1 const Vec a = vec_load(from_a);
#define LOADS_2 LOADS_1 const Vec b = vec_load(from_b);
#define SUPPORT_FUNCTION(name, operands, expression) \
    static void call_##name(PARAMETERS_##operands)   \
    {                                                \
        LOADS_##operands vec_store(to, expression);  \
    }
#define SUPPORT KERNEL_NAME(native_support_lanes)
#include "core/program/native/support_body.h"
