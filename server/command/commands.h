/* The subcommands. Arguments are those after the command's name.
 *
 * Exit status: 0 success, 1 the job or the service failed or the document has mistakes, 2 usage. */
#ifndef SERVER_COMMANDS_H
#define SERVER_COMMANDS_H

#include "server/config.h"

/* serve [FLAGS]: the daemon, until it is told to stop */
int command_serve(int argc, char **argv);
/* Checks the settings alone, without the resources of this machine. ERR_INVALID. */
Status serve_check(const Config *config, Error *err) MUST_CHECK;
/* doctor [FLAGS of serve]: what around a service can stop it, with the mend; changes nothing */
int command_doctor(int argc, char **argv);
/* healthcheck [--url URL]: whether a daemon is ready */
int command_healthcheck(int argc, char **argv);
/* selftest [--json]: whether this machine computes the expected numbers */
int command_selftest(int argc, char **argv);
/* verify [--data DIR] [--compact]: the damage in a data directory */
int command_verify(int argc, char **argv);
/* backup [--data DIR] [--rate BYTES] [--disk-reserve BYTES] DEST: a copy, beside a daemon too */
int command_backup(int argc, char **argv);
/* restore [--without-manifest] SRC DIR: a backup as a new data directory */
int command_restore(int argc, char **argv);
/* export [--data DIR] [--tenant NAME] [FILE]: the data as lines of JSON, beside a daemon too */
int command_export(int argc, char **argv);
/* import FILE|- DIR: an export as a new data directory */
int command_import(int argc, char **argv);
/* keys token | create NAME | list | revoke ID: who may use a service */
int command_keys(int argc, char **argv);
/* tenants create NAME | set NAME | list | secret NAME: who shares a service */
int command_tenants(int argc, char **argv);
/* simulate JOB.json [-o FILE.json|.csv|.ndjson] [--diagnostics FILE] */
int command_simulate(int argc, char **argv);
/* check MODEL.json [--json]: a model or a job; the structure report, or the mistakes */
int command_check(int argc, char **argv);
/* equations MODEL.json [--format text|latex|c] [--formulation NAME] */
int command_equations(int argc, char **argv);
/* catalog [NAME] */
int command_catalog(int argc, char **argv);

#endif
