/* Sums of stages by the widest vectors that the CPU has. */
#include "core/integrate/combine.h"
#include "core/program/kernels.h"

const Combine *combine_best(void)
{
    return KERNEL_BEST(combine);
}
