#!/usr/bin/env python3
"""The Debian package: the same bytes each time, what is in it, and what it leaves behind.

    tests/deb.py [TEST...]        needs dpkg-dev; installs into a folder of its own, as root

`tests/image.py --release` installs the package with apt on a whole system.
"""
import gzip
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from program import BINARY, HERE, require

MAKE = os.path.join(HERE, "..", "deploy", "make-deb.sh")
DATA = "var/lib/private/dalembert/dalembert.db"


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def make(folder, **options):
    """Makes the package in this folder; its path."""
    return run(MAKE, BINARY, folder, **options).strip()


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.package = make(cls.folder)
        cls.tree = os.path.join(cls.folder, "tree")
        run("dpkg-deb", "--extract", cls.package, cls.tree)

    def text(self, *path):
        with open(os.path.join(self.tree, *path), encoding="utf-8") as file:
            return file.read()

    def test_two_builds_are_the_same_bytes(self):
        other = os.path.join(self.folder, "somewhere", "else")
        again = make(other, cwd="/", umask=0o077, env={**os.environ, "TZ": "Asia/Tokyo"})
        self.assertEqual(os.path.basename(again), os.path.basename(self.package))
        with open(self.package, "rb") as one, open(again, "rb") as two:
            self.assertEqual(one.read(), two.read())

    def test_another_time_is_another_package(self):
        other = make(os.path.join(self.folder, "later"),
                     env={**os.environ, "SOURCE_DATE_EPOCH": "86400"})
        self.assertIn(" 1970-01-02 ", run("dpkg-deb", "--contents", other, env={"TZ": "UTC",
                                          "PATH": os.environ["PATH"]}))

    def test_files_belong_to_root_and_only_root_may_write_them(self):
        for line in run("dpkg-deb", "--contents", self.package).splitlines():
            mode, owner = line.split()[:2]
            self.assertEqual((owner, mode[5], mode[8]), ("root/root", "-", "-"), line)

    def test_the_program_is_stripped_and_runs(self):
        program = os.path.join(self.tree, "usr", "bin", "dalembert")
        self.assertNotIn(".symtab", run("readelf", "--sections", "--wide", program))
        version = run("dpkg-deb", "--field", self.package, "Version").strip()
        self.assertIn(version, run(program, "--version"))

    def test_the_manual_page_has_the_help_of_every_command(self):
        with gzip.open(os.path.join(self.tree, "usr/share/man/man1/dalembert.1.gz"), "rt") as file:
            page = file.read().replace("\\-", "-")
        help_text = run(BINARY, "--help")
        commands = re.findall(r"^  ([a-z]+) ", help_text, re.M)
        self.assertIn("serve", commands)
        for command in commands:
            self.assertIn(".SH DALEMBERT " + command.upper() + "\n", page)
            usage = run(BINARY, command, "--help").splitlines()[0]
            self.assertIn(usage, page)

    def test_the_changelog_begins_with_the_release_of_the_program(self):
        changelog = os.path.join(self.folder, "changelog")
        with gzip.open(os.path.join(self.tree, "usr/share/doc/dalembert/changelog.gz")) as file, \
                open(changelog, "wb") as plain:
            shutil.copyfileobj(file, plain)
        told = subprocess.run(["dpkg-parsechangelog", "--file", changelog, "--all"], check=True,
                              capture_output=True, text=True)
        self.assertEqual(told.stderr, "")
        version = run("dpkg-deb", "--field", self.package, "Version").strip()
        self.assertIn(f"\nVersion: {version}\n", told.stdout)

    def test_the_sums_are_those_of_the_files(self):
        control = os.path.join(self.folder, "control")
        run("dpkg-deb", "--control", self.package, control)
        sums = os.path.join(control, "md5sums")
        checked = run("md5sum", "--check", sums, cwd=self.tree)
        self.assertIn("usr/bin/dalembert: OK", checked)

    @unittest.skipUnless(shutil.which("lintian"), "lintian is missing (install-deps.sh long)")
    def test_lintian_finds_no_error_and_no_warning(self):
        found = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning",
                                self.package], capture_output=True, text=True, check=False)
        self.assertEqual(found.returncode, 0, found.stdout + found.stderr)

    def test_the_unit_starts_the_program_of_the_package(self):
        unit = self.text("usr", "lib", "systemd", "system", "dalembert.service")
        program = re.search(r"^ExecStart=/(\S+) serve$", unit, re.M)[1]
        self.assertTrue(os.access(os.path.join(self.tree, program), os.X_OK), program)
        self.assertNotIn("/usr/local", unit)

    def test_every_library_comes_from_a_package_that_it_depends_on(self):
        depends = re.findall(r"([a-z0-9.+-]+)(?: \([^)]*\))?(?:, |$)",
                             run("dpkg-deb", "--field", self.package, "Depends").strip())
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "--dynamic", BINARY))
        self.assertIn("libmicrohttpd.so.12", needed)
        found = run("dpkg-query", "--search", *("*/" + library for library in needed))
        for library in needed:
            owners = set(re.findall(rf"^([^:]+):.*/{re.escape(library)}$", found, re.M))
            self.assertTrue(owners & set(depends), library)

    @unittest.skipUnless(os.geteuid() == 0, "only root can install")
    def test_data_stay_after_a_purge(self):
        root = os.path.join(self.folder, "root")
        os.makedirs(os.path.join(root, "var/lib/dpkg/info"))
        for name in ("status", "available"):
            open(os.path.join(root, "var/lib/dpkg", name), "w").close()
        dpkg = ["dpkg", "--root=" + root, "--force-depends", "--force-script-chrootless"]
        program = os.path.join(root, "usr/bin/dalembert")
        # install it, and have data
        run(*dpkg, "--install", self.package)
        self.assertTrue(os.access(program, os.X_OK))
        os.makedirs(os.path.join(root, os.path.dirname(DATA)))
        open(os.path.join(root, DATA), "w").close()
        # take it away
        told = run(*dpkg, "--purge", "dalembert")
        self.assertFalse(os.path.exists(program))
        self.assertTrue(os.path.exists(os.path.join(root, DATA)))
        self.assertIn("were kept", told)


if __name__ == "__main__":
    require("deb")
    unittest.main(verbosity=2)
