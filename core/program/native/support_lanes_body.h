/* Functions of lanes, for any vector type Vec (vec_*.h, included before). Operands and results go
 * through memory. */
#ifndef CORE_PROGRAM_NATIVE_SUPPORT_LANES_BODY_H
#define CORE_PROGRAM_NATIVE_SUPPORT_LANES_BODY_H

#define PARAMETERS_1 const double *from_a, double *to
#define PARAMETERS_2 const double *from_a, const double *from_b, double *to
#define LOADS_1 const Vec a = vec_load(from_a);
#define LOADS_2 LOADS_1 const Vec b = vec_load(from_b);
#define SUPPORT_FUNCTION(name, operands, expression) \
    static void call_##name(PARAMETERS_##operands)   \
    {                                                \
        LOADS_##operands vec_store(to, expression);  \
    }

#endif
