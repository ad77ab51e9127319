/* The functions that machine code calls on lanes, for each instruction set (kernels.h). */
#include "core/program/vector/vec_kernel.h"

#include "core/program/kernels.h"
#include "core/program/native/support_lanes_body.h"

#define SUPPORT KERNEL_NAME(native_support_lanes)
#include "core/program/native/support_body.h"
