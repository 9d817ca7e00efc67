#!/usr/bin/env python3
"""Compares evaluating one targeted flag with flagd's Python core, on the same cases in the same run.

Rules are loaded and contexts are made beforehand; only the evaluation is timed, in both. Prints both medians and one
`result:` line, as all benchmarks do. With --details, also the slowest cases.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".build" / "venv-flagd-core-2.0.0"
DEFAULT_CASES = ROOT / "Tests" / "FlagEvaluationTests" / "Fixtures" / "evaluation.jsonl"


def in_environment():
    """Continues inside a virtual environment that has the evaluator to compare with."""
    python = ENVIRONMENT / "bin" / "python"
    if not (ENVIRONMENT / "complete").exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "openfeature-flagd-core==2.0.0"], check=True)
        (ENVIRONMENT / "complete").touch()
    command = [str(python), __file__, "--inside", *sys.argv[1:]]
    return subprocess.run(command, check=False).returncode


def python_nanoseconds(cases):
    """The time of each case with a targeted flag, by its line number."""
    import logging
    import timeit

    from openfeature.contrib.tools.flagd.core import FlagdCore
    from openfeature.evaluation_context import EvaluationContext
    from openfeature.exception import OpenFeatureError

    logging.disable(logging.CRITICAL)
    times = {}
    for number, case in cases:
        core = FlagdCore()
        core.set_flags(json.dumps(case["flags"]))
        attributes = dict(case["context"])
        context = EvaluationContext(attributes.pop("targetingKey", None), attributes)
        variants = core._flag_store.get_flag(case["key"]).variants
        sample = next(iter(variants.values()))
        kinds = {bool: "boolean", str: "string", int: "integer", float: "float", dict: "object"}
        resolve = getattr(core, f"resolve_{kinds[type(sample)]}_value")

        def evaluate(resolve=resolve, key=case["key"], default=sample, context=context):
            try:
                resolve(key, default, context)
            except (OpenFeatureError, ArithmeticError, TypeError):
                pass

        timer = timeit.Timer(evaluate)
        calls = 200
        times[number] = min(timer.repeat(repeat=5, number=calls)) / calls * 1e9
    return times


def swift_nanoseconds(path):
    build = ["swift", "build", "-c", "release", "--product", "FlagstaffBench"]
    subprocess.run(build, cwd=ROOT, check=True, stdout=sys.stderr)
    folder = subprocess.run([*build, "--show-bin-path"], cwd=ROOT, check=True, capture_output=True, text=True)
    tool = pathlib.Path(folder.stdout.strip()) / "FlagstaffBench"
    output = subprocess.run([str(tool), "evaluation", str(path)], check=True, capture_output=True, text=True)
    lines = [json.loads(line) for line in output.stdout.splitlines()]
    return {line["case"]: line["nanoseconds"] for line in lines}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=pathlib.Path, default=DEFAULT_CASES, help="cases, one JSON object a line")
    parser.add_argument("--details", action="store_true", help="also print the distribution")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not arguments.inside:
        return in_environment()

    ours = swift_nanoseconds(arguments.cases)
    lines = arguments.cases.read_text(encoding="utf-8").splitlines()
    cases = [(number, json.loads(line)) for number, line in enumerate(lines, 1) if number in ours]
    theirs = python_nanoseconds(cases)

    median_ours, median_theirs = statistics.median(ours.values()), statistics.median(theirs.values())
    ratio = statistics.median(theirs[number] / ours[number] for number in ours)
    print(f"median of {len(ours)} cases: {median_ours:.0f} ns; Python's flagd core: {median_theirs / 1000:.1f} µs")
    print(f"median of the cases' own ratios: {ratio:.0f}; least: {min(theirs[n] / ours[n] for n in ours):.0f}")
    result = {
        "what": f"one targeted flag, evaluations/s (median of {len(ours)} cases)",
        "against": "flagd core 2.0.0 in Python",
        "ratio": round(median_theirs / median_ours, 1),
        "atLeast": 25,
    }
    print("result: " + json.dumps(result, ensure_ascii=False))
    if arguments.details:
        for number in sorted(ours, key=ours.get)[-8:]:
            print(f"  case {number}: {ours[number]:.0f} ns, Python {theirs[number] / 1000:.1f} µs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
