/* What the tests of units share: an ensemble, what a worker tells of its members, and what the
 * store must then hold. */
#ifndef TESTS_DB_MEMBERS_H
#define TESTS_DB_MEMBERS_H

#include "tests/db/fixture.h"

/* Of its table of members, and of that of hits. */
enum { COLUMNS = 3, TABLE_COLUMNS = 2 };

JobRecord add_ensemble(Fixture *f, uint64_t members, int priority);
UnitLease claim_unit(Fixture *f, const char *id, uint64_t most);

/* The rows of a member, which are its own: one in the table of members, up to three in that of
 * hits. */
Status tell(Fixture *f, const char *id, const UnitLease *unit, uint64_t member);
Status finish_unit(Fixture *f, const char *id, const UnitLease *unit,
                   uint64_t done); /* half of them failed */
void run_unit(Fixture *f, const char *id, const UnitLease *unit);

/* The member's rows are in both tables, or none in either. */
void check_member(Fixture *f, const char *id, uint64_t member, bool done);
/* The whole tables have the rows of those that are done, in order, once. */
void check_tables(Fixture *f, const char *id, const bool *done, uint64_t members);
/* No damage is found in the data directory. */
void check_sound(Fixture *f);

#endif
