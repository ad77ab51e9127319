/* The process-wide setting of GSL. */
#include "core/numeric/numeric.h"

#include <gsl/gsl_errno.h>

void numeric_init(void)
{
    gsl_set_error_handler_off();
}
