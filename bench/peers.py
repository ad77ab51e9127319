#!/usr/bin/env python3
"""Published problems, integrated by this program and by peers, in ratios taken in one run.

    bench/peers.py [--write] [PEERS]                  make bench-peers
    bench/peers.py --against OLD [--runs N] [PEERS]   make bench-peers AGAINST=OLD

PEERS (build/release/bench/peers/peers) measures by turns; this makes the tables and a
work-precision diagram a problem. --write puts them into docs/evidence/performance.md and
docs/evidence/peers/. The time at an error is the least of all tolerances at which the global error
is at most that.

--against compares with the PEERS of another commit, OLD. Both programs run by turns, N times each
(9). A row is a problem with both medians and the ratio new/old; the last row of a measure is the
geometric mean of the ratios.
"""
import argparse
import collections
import math
import os
import statistics
import subprocess

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PAGE = os.path.join(ROOT, "docs", "evidence", "performance.md")
DIAGRAMS = os.path.join(ROOT, "docs", "evidence", "peers")
BEGIN, END = "<!-- bench/peers.py writes from here -->\n", "<!-- to here -->\n"

PROBLEMS = {
    "P1": "nonholonomic particle", "P2": "Chaplygin sleigh", "P3": "two-wheeled carriage",
    "P4": "sphere in a rotating cylinder", "P5": "disc on a circle of variable radius",
    "P6": "rolling disc"}
TARGETS = (1e-6, 1e-9, 1e-12)
OURS, REFERENCE = "dop853", "GSL rk8pd"
PEERS = ("dop853", "bdf", "plain C", "plain C, 8 lanes", "ARKODE erk8", "CVODE adams")
# heyoka 7.2.1 over GSL's rk8pd, both measured on one other machine: one trajectory, and a batch of
# eight.
QUOTED = {
    ("P1", 1e-9): (3.9 / 4.1, 1.3 / 4.1), ("P2", 1e-9): (6.7 / 15, 2.1 / 15),
    ("P3", 1e-9): (4.4 / 7.8, 1.6 / 7.8),
    ("P4", 1e-6): (110 / 140, 35 / 140), ("P4", 1e-9): (181 / 291, 64 / 291),
    ("P4", 1e-12): (270 / 672, 90 / 672),
    ("P5", 1e-9): (27 / 93, 9.5 / 93), ("P6", 1e-9): (274 / 589, 99 / 589),
    ("P6", 1e-12): (361 / 1095, 129 / 1095)}
COLD_RUNS = 5
# What --against compares: the name of the measure, a subcommand of PEERS and a column of its rows.
AGAINST = (("a warm job of a tenth of the problem, us", "fixed", 4),
           ("a step of a single run, ns", "step", 1),
           ("a member of an ensemble, us", "ensemble", 2))

Run = collections.namedtuple("Run", "tolerance error time steps evaluations")


def ask(binary, *arguments):
    """Rows of tab-separated figures."""
    out = subprocess.run([binary, *arguments], check=True, capture_output=True,
                         text=True, cwd=ROOT).stdout
    return [line.split("\t") for line in out.splitlines()]


def precision(binary):
    """{(problem, peer): [Run, ..]}"""
    runs = collections.defaultdict(list)
    for problem, peer, *figures in ask(binary, "precision"):
        runs[problem, peer].append(Run(*map(float, figures)))
    return runs


def time_at(runs, target):
    return min((run.time for run in runs if run.error <= target), default=None)


def ratio_text(value):
    return "" if value is None else "%.2g" % value if value < 9.95 else "%.0f" % value


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def ratio_rows(runs):
    """Cells of the table of ratios, and the geometric means of each target."""
    means = collections.defaultdict(list)
    rows = []
    for problem in PROBLEMS:
        for target in TARGETS:
            reference = time_at(runs[problem, REFERENCE], target)
            if reference is None:
                continue
            ratios = []
            for peer in PEERS:
                time = time_at(runs[problem, peer], target)
                ratios.append(time / reference if time else None)
                if time:
                    means[target, peer].append(time / reference)
            ratios += QUOTED.get((problem, target), (None, None))
            rows.append(["%s, %.0e" % (problem, target),
                         "%.3g" % reference] + list(map(ratio_text, ratios)))
    for target in TARGETS:
        rows.append(["geometric mean, %.0e" % target, ""] +
                    [ratio_text(geometric_mean(means[target, peer]))
                     if len(means[target, peer]) == len(PROBLEMS)
                     else "" for peer in PEERS] + ["", ""])
    return rows


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def cold_rows(binary):
    rows = []
    for problem in PROBLEMS:
        least = min(float(ask(binary, "cold", problem)[0][1]) for _ in range(COLD_RUNS))
        rows.append([problem, "%.2f" % (least / 1000)])
    return rows


# -------------------------------------------------------------------------------------------
# diagrams

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 720, 420, 64, 48, 36, 150
COLOURS = {"dop853": "#c62828", "bdf": "#ef6c00", "plain C": "#1565c0",
           "plain C, 8 lanes": "#00838f",
           "GSL rk8pd": "#2e7d32", "ARKODE erk8": "#6a1b9a", "CVODE adams": "#616161"}
ERRORS = (1e-2, 1e-14)


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


class Diagram:
    """Time over global error, both logarithmic; the error falls to the right."""

    def __init__(self, runs):
        times = [run.time for peer in runs for run in peer]
        self.low, self.high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
        self.parts = []

    def x(self, error):
        first, last = map(math.log10, ERRORS)
        return LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(error) - first) / (last - first)

    def y(self, time):
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (
            math.log10(time) - self.low) / (self.high - self.low)

    def text(self, x, y, content, anchor="middle", colour="#333"):
        self.parts.append('<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">%s</text>'
                          % (x, y, anchor, colour, escape(content)))

    def line(self, points, colour, width):
        self.parts.append('<polyline fill="none" stroke="%s" stroke-width="%g" points="%s"/>'
                          % (colour, width, " ".join("%.1f,%.1f" % point for point in points)))

    def axes(self, title):
        self.text(WIDTH / 2 - RIGHT / 2 + LEFT / 2, 20, title)
        for power in range(-2, -15, -2):
            x = self.x(10.0 ** power)
            self.line([(x, TOP), (x, HEIGHT - BOTTOM)], "#ddd", 1)
            self.text(x, HEIGHT - BOTTOM + 16, "1e%d" % power)
        for power in range(self.low, self.high + 1):
            y = self.y(10.0 ** power)
            self.line([(LEFT, y), (WIDTH - RIGHT, y)], "#ddd", 1)
            self.text(LEFT - 6, y + 4, "%g" % 10.0 ** power, "end")
        self.text(WIDTH / 2 - RIGHT / 2 + LEFT / 2, HEIGHT - 10, "global error")
        self.parts.append(
            '<text transform="translate(14,%.1f) rotate(-90)" text-anchor="middle" fill="#333">'
                          "microseconds a trajectory</text>" % (HEIGHT / 2))

    def curve(self, runs, peer):
        inside = [run for run in runs if ERRORS[1] <= run.error <= ERRORS[0]]
        if not inside:
            return
        points = [(self.x(run.error), self.y(run.time)) for run in inside]
        self.line(points, COLOURS[peer], 3 if peer == OURS else 1.5)

    def legend(self, peers):
        for k, peer in enumerate(peers):
            y = TOP + 12 + 20 * k
            self.line([(WIDTH - RIGHT + 10, y - 4), (WIDTH - RIGHT + 30, y - 4)], COLOURS[peer],
                      3 if peer == OURS else 1.5)
            self.text(WIDTH - RIGHT + 36, y, peer, "start")

    def svg(self):
        return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" '
                'font-family="sans-serif" font-size="12">\n'
                '<rect width="100%%" height="100%%" fill="white"/>\n%s\n</svg>\n'
                % (WIDTH, HEIGHT, "\n".join(self.parts)))


def write_diagram(runs, problem):
    peers = [peer for peer in COLOURS if runs[problem, peer]]
    diagram = Diagram([runs[problem, peer] for peer in peers])
    diagram.axes("%s: %s" % (problem, PROBLEMS[problem]))
    for peer in peers:
        diagram.curve(runs[problem, peer], peer)
    diagram.legend(peers)
    with open(os.path.join(DIAGRAMS, problem + ".svg"), "w") as file:
        file.write(diagram.svg())


def write_page(text):
    with open(PAGE) as file:
        page = file.read()
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    diagrams = "\n".join("![%s](peers/%s.svg)" % (name, problem)
                         for problem, name in PROBLEMS.items())
    with open(PAGE, "w") as file:
        file.write(before + BEGIN + text + "\n" + diagrams + "\n" + END + after)


# ------------------------------------------------------------------------------------------ against

def figures(binary, command, column):
    """{problem: figure}"""
    return {row[0]: float(row[column]) for row in ask(binary, command)}


def by_turns(programs, command, column, runs):
    """Medians {problem: figure} of each program; every turn begins with another one."""
    taken = [[] for _ in programs]
    for turn in range(runs):
        for k in sorted(range(len(programs)), reverse=turn % 2 == 1):
            taken[k].append(figures(programs[k], command, column))
    return [{problem: statistics.median(run[problem] for run in own) for problem in own[0]}
            for own in taken]


def print_against(old, new, runs):
    for title, command, column in AGAINST:
        before, after = by_turns((old, new), command, column, runs)
        ratios = {problem: after[problem] / before[problem] for problem in PROBLEMS}
        rows = [[problem, "%.4g" % before[problem], "%.4g" % after[problem], "%.3f" % ratio]
                for problem, ratio in ratios.items()]
        rows.append(["geometric mean", "", "", "%.3f" % geometric_mean(ratios.values())])
        print(table([title, "old", "new", "new/old"], rows), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("peers", nargs="?",
                        default=os.path.join(ROOT, "build", "release", "bench", "peers", "peers"))
    parser.add_argument("--against", metavar="OLD", help="the PEERS of another commit")
    parser.add_argument("--runs", type=int, default=9, help="of each program, by turns (9)")
    options = parser.parse_args()
    if options.against:
        old, new = map(os.path.abspath, (options.against, options.peers))
        print_against(old, new, options.runs)
        return

    runs = precision(options.peers)
    text = "\n".join((
        table(["problem, global error", REFERENCE + ", us",
               *PEERS, "heyoka (quoted)", "heyoka, batch of 8 (quoted)"],
              ratio_rows(runs)),
        table(["a warm job of a tenth of the problem at 1e-9, us",
               "prepare", "integrate", "analyse", "whole", "steps"],
              ask(options.peers, "fixed")),
        table(["a step of a warm job at 1e-9, ns", "with all evidence",
               "bare loop", "ratio", "steps"],
              ask(options.peers, "step")),
        table(["an ensemble at 1e-9, one thread", "members",
               "a member, us", "plain C alone, us", "ratio", "steps"],
              ask(options.peers, "ensemble")),
        table(["the first job of a process at 1e-9", "text to result, ms"],
              cold_rows(options.peers))))
    print(text)
    if options.write:
        os.makedirs(DIAGRAMS, exist_ok=True)
        for problem in PROBLEMS:
            write_diagram(runs, problem)
        write_page(text)


if __name__ == "__main__":
    main()
