/* Which program runs, and where. */
#ifndef SERVER_ORIGIN_H
#define SERVER_ORIGIN_H

#include "api/documents/provenance.h"

/* What cannot be found out is left empty. */
void origin_find(Origin *ret_origin);

#endif
