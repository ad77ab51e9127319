#ifndef TESTS_CORE_SIMULATION_SUITES_H
#define TESTS_CORE_SIMULATION_SUITES_H

#include <check.h>

Suite *lanes_suite(void);
Suite *hamiltonian_suite(void);
Suite *vakonomic_suite(void);
Suite *boundary_suite(void);
Suite *charts_suite(void);
Suite *chaplygin_suite(void);
Suite *formulations_suite(void);
Suite *rebase_suite(void);
Suite *corners_suite(void);
Suite *sensitivities_suite(void);
Suite *local_suite(void);
Suite *consistency_suite(void);
Suite *action_suite(void);
Suite *accuracy_suite(void);

#endif
