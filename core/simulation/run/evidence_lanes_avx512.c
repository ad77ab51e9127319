/* What runs measure in lanes, eight at a time. */
#define EVIDENCE_KERNEL evidence_kernel_avx512
#include "core/simulation/run/evidence_lanes_body.h"
