/* The subcommands that have to do with the daemon. Arguments are those behind the command's name.
 * Exit status: 0 success, 1 failure, 2 usage. */
#ifndef SERVER_SERVE_H
#define SERVER_SERVE_H

int command_serve(int argc, char **argv);
int command_healthcheck(int argc, char **argv);

#endif
