#!/usr/bin/env python3
"""Checks README.md, all pages of docs/, and names in two more pages (tools/check-docs.sh).

    check_docs.py [ROOT]        check_docs.py --self-test

Links lead to files that exist, and anchors to headings. A fenced block is well formed: `json`
parses (the members of an object may stand without its braces), `python` compiles, `sh` passes
`sh -n`, `javascript` passes `node --check`. `text` is output, and a `csv` has rows of one length;
tests/pages.py runs the pages that have such blocks. A block of another language, or of none, is
refused. The names of code in ARCHITECTURE.md and CONTRIBUTING.md occur in the sources.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")
SPAN = re.compile(r"`[^`\n]*`")
CODE = re.compile(r"`(?:(\w+)\(\)|([A-Za-z0-9]+(?:_[A-Za-z0-9]+)+))`")
CODE_PAGES = ["ARCHITECTURE.md", "CONTRIBUTING.md"]
FOLDERS = ["core", "db", "api", "server", "tests", "clients", "web"]


def pages(root):
    found = glob.glob(os.path.join(root, "docs", "**", "*.md"), recursive=True)
    return sorted(found) + [os.path.join(root, "README.md")]


def prose(text):
    """The text without blocks, indented lines and spans of code."""
    lines = FENCE.sub("", text).split("\n")
    return SPAN.sub("", "\n".join(line for line in lines if not line.startswith("    ")))


def anchor(heading):
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip().lower())
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def anchors(path):
    with open(path, encoding="utf-8") as file:
        text = FENCE.sub("", file.read())
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", text, re.M)}


def broken_links(path, text):
    for link in LINK.findall(prose(text)):
        if link.startswith(("http:", "https:")):
            continue
        target, _, name = link.partition("#")
        file = os.path.join(os.path.dirname(path), target) if target else path
        if not os.path.exists(file):
            yield f"{link} leads nowhere"
        elif name and name not in anchors(file):
            yield f"{link}: there is no such heading"


def check_json(block):
    json.loads(block if block.lstrip()[:1] in ("{", "[") else "{" + block + "}")


def check_python(block):
    compile(block, "block", "exec")


def parse(block, *command):
    run = subprocess.run(command, input=block, text=True, capture_output=True)
    if run.returncode:
        raise ValueError(run.stderr.strip())


def check_sh(block):
    parse(block, "sh", "-n")


def check_javascript(block):
    parse(block, "node", "--input-type=module", "--check")


def check_csv(block):
    if len({line.count(",") for line in block.splitlines()}) != 1:
        raise ValueError("rows of different lengths")


def check_text(block):
    if not block.strip():
        raise ValueError("it is empty")


CHECKS = {"json": check_json, "python": check_python, "sh": check_sh,
          "javascript": check_javascript, "text": check_text, "csv": check_csv}


def broken_blocks(text):
    for language, block in FENCE.findall(text):
        if language not in CHECKS:
            yield f"a block of '{language}'; known are {', '.join(CHECKS)}"
            continue
        try:
            CHECKS[language](block)
        except (ValueError, SyntaxError) as error:
            yield f"a block of {language}: {error}"


def words(root):
    """All words of the sources."""
    found = set()
    for folder in FOLDERS:
        for place, _, names in os.walk(os.path.join(root, folder)):
            for name in names:
                if name.endswith((".c", ".h", ".py", ".sh", ".js", ".json")):
                    path = os.path.join(place, name)
                    with open(path, encoding="utf-8", errors="replace") as file:
                        found.update(re.findall(r"\w+", file.read()))
    return found


def unknown_names(text, known):
    """Functions `f()` and names with an underscore that no source has; not the examples of style,
    nor a name made of NAME."""
    for function, other in CODE.findall(text.partition("\n## Style\n")[0]):
        name = function or other
        if "NAME" not in name and name not in known:
            yield f"no source has the name {name}"


def mistakes(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    yield from broken_links(path, text)
    yield from broken_blocks(text)


SOUND = """# Page

## The first step

See [above](#the-first-step) and [the index](../../README.md#index).

```json
"a": [1, 2]
```

```sh
echo "a" | cat
```
"""
PLANTED = ["[x](missing.md)\n", "[x](#no-heading)\n", "[x](../../README.md#no)\n",
           "```json\n{\"a\": }\n```\n", "```sh\nif true\n```\n", "```python\ndef\n```\n",
           "```javascript\nlet = ;\n```\n",
           "```text\n```\n", "```csv\na,b\n1\n```\n",
           "```\nplain\n```\n"]


def self_test():
    with tempfile.TemporaryDirectory() as root:
        page = os.path.join(root, "docs", "deep", "page.md")
        os.makedirs(os.path.dirname(page))
        with open(os.path.join(root, "README.md"), "w", encoding="utf-8") as file:
            file.write("# Index\n")
        for planted in ["", *PLANTED]:
            with open(page, "w", encoding="utf-8") as file:
                file.write(SOUND + planted)
            found = list(mistakes(page))
            assert bool(found) == bool(planted), (planted, found)
        assert pages(root) == [page, os.path.join(root, "README.md")]
    sound = "`run()` and `run_all`, not `NAME_run()`, `run_` or `-o`\n\n## Style\n\n`snake_case`\n"
    for planted in ["", "`gone()`", "`run_none`"]:
        assert bool(list(unknown_names(planted + sound, {"run", "run_all"}))) == bool(planted)
    print("check-docs: self-test passed")
    return 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    root = arguments[0] if arguments else "."
    found = [f"{os.path.relpath(path, root)}: {mistake}"
             for path in pages(root) for mistake in mistakes(path)]
    known = words(root)
    for page in CODE_PAGES:
        with open(os.path.join(root, page), encoding="utf-8") as file:
            found += [f"{page}: {mistake}" for mistake in unknown_names(file.read(), known)]
    for mistake in found:
        print(f"check-docs: {mistake}", file=sys.stderr)
    if not found:
        print(f"check-docs: links, blocks of {len(pages(root))} pages and names of code are sound")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
