#include "core/job.h"

void job_spec_init(JobSpec *spec)
{
    *spec = (JobSpec){.formulation = "lagrange-dalembert",
                      .consistency = CONSISTENCY_REQUIRE,
                      .time = {.kind = TIME_SAMPLES, .samples = 201},
                      .method = "auto",
                      .rtol = 1e-10,
                      .atol = 1e-12,
                      .projection = true};
}
