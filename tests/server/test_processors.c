/* How many processors a process may use, from planted control groups. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/processors.h"
#include "tests/suite.h"

static char mount[40];

static void set_up(void)
{
    strcpy(mount, "/tmp/dalembert-cgroup-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(mount));
}

static void tear_down(void)
{
    char command[80];
    snprintf(command, sizeof command, "rm -rf %s", mount);
    ck_assert_int_eq(system(command), 0); // NOLINT(cert-env33-c): our own folder
}

static void plant(const char *directory, const char *name, const char *text)
{
    char command[400];
    snprintf(command, sizeof command, "mkdir -p %s/%s && echo '%s' > %s/%s/%s", mount, directory,
             text, mount, directory, name);
    ck_assert_int_eq(system(command), 0); // NOLINT(cert-env33-c): our own folder
}

START_TEST(without_groups_there_is_no_limit)
{
    ck_assert(isinf(processors_cgroup_limit("", mount)));
    ck_assert(isinf(processors_cgroup_limit("0::/\n", mount)));
    ck_assert(isinf(processors_cgroup_limit("nonsense\n:\n::\n0:", mount)));
    plant("a", "cpu.max", "max 100000");
    ck_assert(isinf(processors_cgroup_limit("0::/a\n", mount)));
}
END_TEST

START_TEST(the_least_limit_above_a_group_holds)
{
    plant("a/b/c", "cpu.max", "400000 100000");
    plant("a/b", "cpu.max", "150000 100000");
    plant("a", "cpu.max", "max 100000");
    ck_assert(processors_cgroup_limit("0::/a/b/c\n", mount) == 1.5);
    plant("a", "cpu.max", "50000 100000");
    ck_assert(processors_cgroup_limit("0::/a/b/c", mount) == 0.5);
    ck_assert(processors_cgroup_limit("0::/a", mount) == 0.5);
    ck_assert(isinf(processors_cgroup_limit("0::/other", mount)));
}
END_TEST

START_TEST(a_container_sees_its_limit_at_the_top)
{
    plant(".", "cpu.max", "200000 100000");
    ck_assert(processors_cgroup_limit("0::/\n", mount) == 2.0);
    ck_assert(processors_cgroup_limit("0::/system.slice/docker-1.scope\n", mount) == 2.0);
}
END_TEST

START_TEST(version_1_is_read_where_its_controller_is)
{
    static const char GROUPS[] = "9:cpuset:/x\n4:cpu,cpuacct:/docker/1\n1:name=systemd:/docker/1\n";
    plant("cpuset/x", "cpu.cfs_quota_us", "1000");
    plant("cpuset/x", "cpu.cfs_period_us", "100000");
    plant("cpu,cpuacct/docker/1", "cpu.cfs_period_us", "100000");
    plant("cpu,cpuacct/docker/1", "cpu.cfs_quota_us", "-1");
    ck_assert(isinf(processors_cgroup_limit(GROUPS, mount)));
    plant("cpu,cpuacct/docker/1", "cpu.cfs_quota_us", "300000");
    ck_assert(processors_cgroup_limit(GROUPS, mount) == 3.0);
}
END_TEST

START_TEST(there_is_always_one)
{
    ck_assert_uint_ge(processors_available(), 1);
    ck_assert(memory_available() > 1e6);
}
END_TEST

START_TEST(memory_has_the_least_limit_of_both_versions)
{
    plant("a/b", "memory.max", "max");
    plant("a", "memory.max", "268435456");
    ck_assert(memory_cgroup_limit("0::/a/b\n", mount) == 268435456.0);
    ck_assert(isinf(memory_cgroup_limit("0::/other\n", mount)));
    ck_assert(isinf(processors_cgroup_limit("0::/a/b\n", mount)));
    plant("memory/docker/1", "memory.limit_in_bytes", "134217728");
    ck_assert(memory_cgroup_limit("7:memory:/docker/1\n", mount) == 134217728.0);
    ck_assert(isinf(memory_cgroup_limit("7:cpu:/docker/1\n", mount)));
}
END_TEST

SUITE(processors)
{
    TCase *tc = suite_case(suite, "control groups");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, without_groups_there_is_no_limit);
    tcase_add_test(tc, the_least_limit_above_a_group_holds);
    tcase_add_test(tc, a_container_sees_its_limit_at_the_top);
    tcase_add_test(tc, version_1_is_read_where_its_controller_is);
    tcase_add_test(tc, memory_has_the_least_limit_of_both_versions);
    tcase_add_test(tc, there_is_always_one);
}
