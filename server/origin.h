/* The running program and its machine. */
#ifndef SERVER_ORIGIN_H
#define SERVER_ORIGIN_H

#include "api/documents/provenance.h"

/* Unknown members are left empty. */
void origin_find(Origin *ret_origin);

#endif
