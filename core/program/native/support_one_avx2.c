/* One lane. */
#include "core/program/native/support.h"
#include "core/program/vector/vec_scalar.h"

#define SUPPORT native_support_one_avx2
#define PARAMETERS_1 Vec a
#define PARAMETERS_2 Vec a, Vec b
#define SUPPORT_FUNCTION(name, operands, expression) \
    static Vec call_##name(PARAMETERS_##operands)    \
    {                                                \
        return expression;                           \
    }

#include "core/program/native/support_body.h"
