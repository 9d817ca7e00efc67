#!/usr/bin/env python3
"""Compares this evaluator with flagd's Python core on random cases.

The core comes from PyPI into virtual environments under .build: version 2.0.0 for the third version of `fractional`,
version 1.0.0 for the second. A case on which both answer differently has to be explained by known differences
between the engines (javascript.py, reference.py): replacing some of those in the core has to give our answer. And
with all of them replaced, the core has to give our answers to all cases. Anything else is printed and makes the
command fail.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

import generator
import javascript

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CORES = {"v3": "2.0.0", "v2": "1.0.0"}
SWITCHES = [
    "reduce's initial value", "whole weights", "fractional among elements", "numbers as results", "engine failures",
]
GROUPS = [*javascript.GROUPS, *SWITCHES]


def environment(version):
    """The interpreter of an environment that has the core, made on first use."""
    folder = ROOT / ".build" / f"venv-flagd-core-{version}"
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        print(f"installing flagd core {version} into {folder.relative_to(ROOT)}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, f"openfeature-flagd-core=={version}"], check=True)
        (folder / "complete").touch()
    return python


def lines(values):
    return "".join(json.dumps(value) + "\n" for value in values)


def ours(tool, scheme, cases):
    command = [str(tool), "evaluate", "--cases", "-", "--fractional", scheme]
    output = subprocess.run(command, input=lines(cases), capture_output=True, text=True, check=False)
    answers = [json.loads(line) for line in output.stdout.splitlines()]
    if len(answers) != len(cases):
        sys.exit(f"{len(cases)} cases, but {len(answers)} answers; status {output.returncode}\n{output.stderr}")
    return answers


def theirs(python, requests):
    command = [str(python), str(HERE / "reference.py")]
    data = lines({"case": case, "groups": groups} for case, groups in requests)
    output = subprocess.run(command, input=data, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in output.stdout.splitlines()]


def same(left, right):
    """Whether two answers agree, 1 and 1.0 apart."""
    names = ("value", "variant", "reason", "errorCode")

    def text(answer):
        return json.dumps({name: answer[name] for name in names if name in answer}, sort_keys=True)

    return text(left) == text(right)


def explanations(python, differing):
    """The smallest set of groups that explains each differing case; None where even all of them do not."""
    found = {}
    single = [(index, [group]) for index in range(len(differing)) for group in GROUPS]
    answers = theirs(python, [(differing[index][0], groups) for index, groups in single])
    for (index, groups), answer in zip(single, answers):
        if index not in found and same(answer, differing[index][1]):
            found[index] = groups
    remaining = [index for index in range(len(differing)) if index not in found]
    answers = theirs(python, [(differing[index][0], GROUPS) for index in remaining])
    needed = {}
    for index, answer in zip(remaining, answers):
        found[index] = None
        if same(answer, differing[index][1]):
            needed[index] = list(GROUPS)
    # Leave out one group after the other, as long as the answer stays ours.
    for group in GROUPS:
        trials = [(index, [one for one in groups if one != group]) for index, groups in needed.items()]
        answers = theirs(python, [(differing[index][0], groups) for index, groups in trials])
        for (index, groups), answer in zip(trials, answers):
            if same(answer, differing[index][1]):
                needed[index] = groups
    found.update(needed)
    return [found[index] for index in range(len(differing))]


def compare(scheme, tool, count, seed):
    """Compares with one core; gives the number of differences that nothing explains."""
    python = environment(CORES[scheme])
    source = generator.Generator(f"{scheme} {seed}")
    cases = [source.case() for _ in range(count)]
    our_answers = ours(tool, scheme, cases)
    their_answers = theirs(python, [(case, None) for case in cases])

    triples = zip(cases, our_answers, their_answers)
    differing = [(case, mine, other) for case, mine, other in triples if not same(mine, other)]
    reasons = collections.Counter()
    corrected = theirs(python, [(case, GROUPS) for case in cases])
    unexplained = [triple for triple in zip(cases, our_answers, corrected) if not same(triple[1], triple[2])]
    for (case, mine, other), groups in zip(differing, explanations(python, differing)):
        if groups is None:
            unexplained.append((case, mine, other))
        else:
            reasons[" + ".join(groups) if len(groups) < 3 else "three or more of them"] += 1

    outcomes = collections.Counter(answer.get("errorCode", answer["reason"]) for answer in our_answers)
    print(f"fractional {scheme}, flagd core {CORES[scheme]}, seed {seed}: {count} cases, "
          f"{count - len(differing)} equal, {sum(reasons.values())} known differences, "
          f"{len(unexplained)} unexplained")
    print("  answers: " + ", ".join(f"{name} {number}" for name, number in outcomes.most_common()))
    for reason, number in reasons.most_common():
        print(f"  {number:6} {reason}")
    for case, mine, other in unexplained[:20]:
        print(f"UNEXPLAINED\n  case   {json.dumps(case, ensure_ascii=False)}\n  ours   {mine}\n  theirs {other}")
    return len(unexplained)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="1", help="what the random cases follow from (default: 1)")
    parser.add_argument("--count", type=int, default=5000, help="how many cases for each core (default: 5000)")
    parser.add_argument("--scheme", choices=list(CORES), action="append", help="only this version of fractional")
    parser.add_argument("--tool", type=pathlib.Path, help="the flagstaff binary (default: built here)")
    arguments = parser.parse_args()

    tool = arguments.tool
    if tool is None:
        build = ["swift", "build", "--product", "flagstaff"]
        subprocess.run(build, cwd=ROOT, check=True, stdout=sys.stderr)
        folder = subprocess.run([*build, "--show-bin-path"], cwd=ROOT, check=True, capture_output=True, text=True)
        tool = pathlib.Path(folder.stdout.strip()) / "flagstaff"
    schemes = arguments.scheme or list(CORES)
    unexplained = sum(compare(scheme, tool, arguments.count, arguments.seed) for scheme in schemes)
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
