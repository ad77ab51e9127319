#!/usr/bin/env python3
"""Runs the service under the system-call filter of deploy/dalembert.service, without systemd as
process 1.

    tests/unit_file.py [TEST...]        needs systemd-analyze and python3-seccomp

The groups of the filter are expanded by `systemd-analyze syscall-filter` and loaded by libseccomp.
The process also gets the unit's Environment, UMask, LimitNOFILE and no_new_privs, and it becomes
nobody if the test runs as root. All other settings of the unit are not applied; the first line of
the output names some of them.
"""
import ctypes
import errno
import functools
import os
import pwd
import re
import resource
import shutil
import signal
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
UNIT = os.path.join(ROOT, "deploy", "dalembert.service")
DEBIAN_PYTHON = "/usr/bin/python3"
HINT = "unit_file: %s; run sh deploy/install-deps.sh check"
NOT_APPLIED = ["MemoryDenyWriteExecute", "RestrictNamespaces", "RestrictAddressFamilies",
               "Private* and Protect*"]

try:
    import seccomp
except ImportError:
    # Debian's module is only seen by Debian's interpreter
    if os.path.realpath(sys.executable) == os.path.realpath(DEBIAN_PYTHON):
        sys.exit(HINT % "python3-seccomp is missing")
    if not os.access(DEBIAN_PYTHON, os.X_OK):
        sys.exit(HINT % ("there is no " + DEBIAN_PYTHON))
    os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON, *sys.argv])

sys.path.insert(0, os.path.join(ROOT, "tests", "http"))

import harness  # noqa: E402

PR_SET_NO_NEW_PRIVS = 38
WORKER_NICE = 10  # the default of --worker-nice
EXPOSURE = 1.4  # of docs/how-to/install.md; systemd's scale ends at 10


def unit_settings():
    """The (name, value) pairs of the unit, in order."""
    with open(UNIT, encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    return [tuple(line.split("=", 1)) for line in lines if "=" in line and line[0] not in "#;["]


def values(settings, name):
    return [value for key, value in settings if key == name]


@functools.lru_cache(maxsize=None)
def group(name):
    """The system calls of a group such as @resources."""
    done = subprocess.run(["systemd-analyze", "syscall-filter", name], check=True,
                          capture_output=True, text=True)
    lines = [line.strip() for line in done.stdout.splitlines()[1:]]
    return expand(line for line in lines if line and not line.startswith("#"))


def expand(words):
    found = set()
    for word in words:
        found |= group(word) if word.startswith("@") else {word}
    return found


def allowed_calls(settings):
    """The system calls that the SystemCallFilter lines allow. The first line says that it is a
    list of allowed calls; each later line adds to the list or, behind ~, removes from it."""
    allowed = set(group("@default"))
    for number, line in enumerate(values(settings, "SystemCallFilter")):
        removes = line.startswith("~")
        assert number > 0 or not removes, "the first SystemCallFilter must list allowed calls"
        calls = expand(line.lstrip("~").split())
        allowed = allowed - calls if removes else allowed | calls
    return allowed


def make_filter(settings):
    """The filter; a call beyond it ends the process unless SystemCallErrorNumber says otherwise."""
    errors = values(settings, "SystemCallErrorNumber")
    action = seccomp.ERRNO(getattr(errno, errors[-1])) if errors else seccomp.KILL_PROCESS
    found = seccomp.SyscallFilter(action)
    for name in sorted(allowed_calls(settings)):
        try:
            found.add_rule(seccomp.ALLOW, name)
        except (RuntimeError, ValueError):
            pass  # a call of another architecture, or one that this libseccomp does not know
    return found


def no_new_privileges():
    return ctypes.CDLL(None, use_errno=True).prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0


def refusal():
    """The reason why the kernel takes no filter, or None."""
    script = "import seccomp; seccomp.SyscallFilter(seccomp.ALLOW).load()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    return done.stderr.strip().splitlines()[-1] if done.returncode else None


class ServiceOfUnit(harness.Daemon):
    """A daemon that starts as the unit says."""

    def __init__(self, settings):
        self.settings = settings
        self.filter = make_filter(settings)
        environment = dict(value.split("=", 1) for value in values(settings, "Environment"))
        super().__init__(environment=environment, start=False)
        self.preexec = self.enter
        # nobody may be unable to reach the folder of the build
        shutil.copy2(harness.BINARY, self.directory)
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.directory, nobody.pw_uid, nobody.pw_gid)

    def command(self):
        command = super().command()
        return [os.path.join(self.directory, os.path.basename(command[0])), *command[1:]]

    def enter(self):
        """In the child, before exec."""
        soft = int(values(self.settings, "LimitNOFILE")[-1])
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        if os.geteuid() == 0 or hard == resource.RLIM_INFINITY or soft <= hard:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, soft))
        os.umask(int(values(self.settings, "UMask")[-1], 8))
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.setgroups([])
            os.setgid(nobody.pw_gid)
            os.setuid(nobody.pw_uid)
        if not no_new_privileges():
            raise OSError("no_new_privs was refused")
        self.filter.load()

    def nice_values(self):
        """Of all threads."""
        folder = "/proc/%d/task" % self.process.pid
        found = set()
        for thread in os.listdir(folder):
            with open(os.path.join(folder, thread, "stat")) as stat:
                # the name in parentheses may hold spaces; nice is field 19 of proc(5)
                found.add(int(stat.read().rsplit(")", 1)[1].split()[16]))
        return found

    def death(self):
        """The exit status of a daemon that does not last."""
        try:
            self.start()
        except RuntimeError:
            pass
        code = self.process.wait(harness.SECONDS)
        self.process.stdout.close()
        self.log.close()
        shutil.rmtree(self.directory, ignore_errors=True)
        return code


@unittest.skipIf(refusal(), "the kernel takes no seccomp filter: %s" % refusal())
class UnitFile(unittest.TestCase):
    def test_the_service_runs_a_job_and_stops_cleanly_under_the_filter(self):
        service = ServiceOfUnit(unit_settings())
        self.addCleanup(service.close)
        service.start()
        job = service.finish()
        self.assertEqual(job["state"], "succeeded", job)
        # the memory of machine code is within the filter, too
        self.assertEqual(job["provenance"]["evaluator"], self.evaluator(), job["provenance"])
        self.assertEqual(service.terminate(), 0, service.read_log())

    def test_workers_are_nice_under_the_filter(self):
        if os.getpriority(os.PRIO_PROCESS, 0) >= WORKER_NICE:
            self.skipTest("this process is as nice as workers are")
        service = ServiceOfUnit(unit_settings())
        self.addCleanup(service.close)
        service.start()
        for _ in harness.deadline("a worker with nice %d" % WORKER_NICE):
            if WORKER_NICE in service.nice_values():
                break

    def test_without_the_exceptions_for_workers_the_filter_kills_the_service(self):
        """The unit of 0.6.0: shows that the filter is applied."""
        exceptions = [("SystemCallFilter", "setpriority sched_setattr"),
                      ("SystemCallErrorNumber", "EPERM")]
        settings = [pair for pair in unit_settings() if pair not in exceptions]
        self.assertEqual(len(settings), len(unit_settings()) - len(exceptions))
        self.assertEqual(ServiceOfUnit(settings).death(), -signal.SIGSYS)

    def test_a_job_that_kills_the_service_is_given_up_before_systemd_gives_up(self):
        """The service fails such a job at the start behind the last of its attempts."""
        done = subprocess.run([harness.BINARY, "serve", "--print-config"], check=True,
                              capture_output=True, text=True)
        attempts = int(re.search(r"^max-attempts = (\d+)$", done.stdout, re.M).group(1))
        self.assertGreater(int(values(unit_settings(), "StartLimitBurst")[-1]), attempts)

    def test_systemd_finds_no_mistake_in_the_unit(self):
        """A spelling mistake in a name: systemd would warn and start without the setting."""
        done = subprocess.run(["systemd-analyze", "verify", UNIT], capture_output=True, text=True)
        about_us = [line for line in done.stderr.splitlines()
                    if "dalembert.service" in line and "is not executable" not in line]
        self.assertEqual(about_us, [])

    def test_the_exposure_is_no_larger_than_the_documents_say(self):
        done = subprocess.run(["systemd-analyze", "security", "--offline=true", "--no-pager",
                               "--threshold=%d" % round(10 * EXPOSURE), UNIT],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr or done.stdout)

    @staticmethod
    def evaluator():
        """The evaluator of a job outside the filter."""
        daemon = harness.Daemon()
        try:
            return daemon.finish()["provenance"]["evaluator"]
        finally:
            daemon.close()


if __name__ == "__main__":
    if not shutil.which("systemd-analyze"):
        sys.exit(HINT % "systemd-analyze is missing")
    print("unit_file: system-call filter, Environment, UMask, LimitNOFILE, no_new_privs%s; "
          "not applied: %s" % (", user nobody" if os.geteuid() == 0 else "",
                               ", ".join(NOT_APPLIED)), flush=True)
    unittest.main(verbosity=2)
