#!/usr/bin/env python3
"""The flags that harden the built program are in it (readelf).

    tests/hardening.py
"""
import subprocess
import unittest

from program import BINARY, require


def readelf(*options):
    return subprocess.run(["readelf", "--wide", *options, BINARY], check=True,
                          capture_output=True, text=True).stdout


class Hardening(unittest.TestCase):
    def test_the_program_is_loaded_at_a_random_address(self):
        self.assertRegex(readelf("--file-header"), r"Type: +DYN")

    def test_the_tables_of_the_linker_are_read_only_before_main(self):
        self.assertIn("GNU_RELRO", readelf("--segments"))
        self.assertRegex(readelf("--dynamic"), r"\(FLAGS\) +BIND_NOW")

    def test_no_page_of_the_program_is_writable_and_executable(self):
        self.assertRegex(readelf("--segments"), r"GNU_STACK .* RW +0x")
        self.assertNotRegex(readelf("--segments"), r"LOAD .* RWE +0x")

    def test_overrun_arrays_end_the_process(self):
        symbols = readelf("--dyn-syms")
        self.assertIn("__stack_chk_fail@", symbols)
        self.assertIn("__snprintf_chk@", symbols)


if __name__ == "__main__":
    require("hardening")
    unittest.main(verbosity=2)
