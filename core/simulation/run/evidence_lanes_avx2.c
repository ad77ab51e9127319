/* What runs measure in lanes, four at a time. */
#define EVIDENCE_KERNEL evidence_kernel_avx2
#include "core/simulation/run/evidence_lanes_body.h"
