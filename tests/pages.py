#!/usr/bin/env python3
"""Runs the blocks of a page of documents in an empty folder, against a daemon.

    tests/pages.py [--pictures] PAGE ADDRESS

 * ```sh blocks are run one after the other, in one shell;
 * a block of another language behind "Save it as `NAME`:" becomes the file NAME;
 * ```text blocks are what the block before prints: their lines, in this order, each whole, without
   empty ones. A line `..` stands for any lines, a line that ends with ` ..` for any line that begins
   so;
 * a picture of the page's folder is what a command has written to a file of that name.

The shell finds what it would find in the folder of the project: build/dalembert, clients, examples.
The output is printed. With --pictures the pictures of the page are written anew.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
SAVED = re.compile(r"Save it as\s+`([^`]+)`:\s*\Z")
PICTURE = re.compile(r"!\[[^\]]*\]\(([^):]+\.svg)\)")
MARK = "=== block %d"


class Wrong(Exception):
    """What the page promises and the program does not do."""


def follows(shown, printed):
    """The first line of `shown` that is not printed in its place; None: all are."""
    at, anywhere = 0, False
    for line in shown:
        if line == "..":
            anywhere = True
            continue
        while True:
            if at == len(printed):
                return line
            found = printed[at]
            at += 1
            if found == line or line.endswith(" ..") and found.startswith(line[:-3]):
                break
            if not anywhere:
                return line
        anywhere = False
    return None


def script_of(page):
    """The page as a shell script, and what each of its sh blocks is to print."""
    lines, promised, number = ["set -eu"], {}, 0
    for block in BLOCK.finditer(page):
        language, text = block.groups()
        saved = SAVED.search(page[:block.start()])
        if saved:
            lines.append("cat > %s <<'END OF PAGE'\n%sEND OF PAGE" % (saved.group(1), text))
        elif language == "sh":
            number += 1
            lines += ["echo '%s'" % (MARK % number), text]
        elif language == "text":
            promised[number] = text.splitlines()
    return "\n".join(lines), promised


def check_output(output, promised):
    parts = re.split(r"^%s\n" % MARK.replace("%d", r"\d+"), output, flags=re.M)
    for number, shown in promised.items():
        printed = [line.rstrip() for line in parts[number].splitlines() if line.strip()]
        missing = follows([line for line in shown if line], printed)
        if missing is not None:
            raise Wrong("block %d does not print, in its place, %r" % (number, missing))


def check_pictures(page, path, folder, anew):
    made = {name: os.path.join(place, name) for place, _, names in os.walk(folder)
            for name in names}
    for picture in PICTURE.findall(page):
        name = os.path.basename(picture)
        if name not in made:
            raise Wrong("no block writes " + name)
        place = os.path.join(os.path.dirname(path), picture)
        if anew:
            shutil.copyfile(made[name], place)
        with open(place, "rb") as file:
            shown = file.read()
        with open(made[name], "rb") as file:
            if file.read() != shown:
                raise Wrong("%s is not the picture that the page shows" % name)


def run(path, address, anew):
    with open(path, encoding="utf-8") as file:
        page = file.read().replace("127.0.0.1:8080", address)
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "build"))
        os.symlink(os.environ.get("DALEMBERT_BIN") or os.path.join(ROOT, "build", "dalembert"),
                   os.path.join(folder, "build", "dalembert"))
        for name in ("clients", "examples"):
            os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
        script, promised = script_of(page)
        ended = subprocess.run(["sh", "-c", script], cwd=folder, text=True, check=False,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        print(ended.stdout, end="")
        if ended.returncode != 0:
            raise Wrong("a block ends with status %d" % ended.returncode)
        check_output(ended.stdout, promised)
        check_pictures(page, path, folder, anew)


if __name__ == "__main__":
    try:
        run(*sys.argv[-2:], "--pictures" in sys.argv)
    except Wrong as wrong:
        sys.exit("%s: %s" % (sys.argv[-2], wrong))
