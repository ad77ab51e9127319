/* The suite of the subcommands that need no daemon. */
#ifndef TESTS_SERVER_COMMANDS_H
#define TESTS_SERVER_COMMANDS_H

#include <check.h>

Suite *commands_suite(void);

#endif
