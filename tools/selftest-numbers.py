#!/usr/bin/env python3
"""Writes the expected numbers of the self-test as C: every bit of every number.

    dalembert selftest --json | tools/selftest-numbers.py > server/command/selftest_numbers.c
"""
import json
import sys


def main():
    systems = json.load(sys.stdin)["systems"]
    print("/* The expected numbers of `dalembert selftest`; `make selftest-numbers` writes this file. */")
    print('#include "server/command/selftest.h"\n\n/* clang-format off */')
    for k, system in enumerate(systems):
        print(f"static const SelftestNumber SYSTEM_{k}[] = {{")
        for name, value in system["numbers"].items():
            print(f'    {{"{name}", {float(value).hex()}}},')
        print("};")
    print("const SelftestExpected SELFTEST_EXPECTED[] = {")
    for k, system in enumerate(systems):
        print(f'    {{"{system["name"]}", SYSTEM_{k}, sizeof SYSTEM_{k} / sizeof *SYSTEM_{k}}},')
    print("};\nconst size_t SELFTEST_EXPECTED_COUNT =\n"
          "    sizeof SELFTEST_EXPECTED / sizeof *SELFTEST_EXPECTED;")


if __name__ == "__main__":
    main()
