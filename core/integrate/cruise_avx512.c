/* Lanes that cruise, eight at a time. */
#define CRUISE_KERNEL cruise_kernel_avx512
#include "core/integrate/cruise_body.h"
