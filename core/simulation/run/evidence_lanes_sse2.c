/* What runs measure in lanes, two at a time. */
#define EVIDENCE_KERNEL evidence_kernel_sse2
#include "core/simulation/run/evidence_lanes_body.h"
