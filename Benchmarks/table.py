#!/usr/bin/env python3
"""Makes one Markdown table of the results on standard input, a JSON object a line."""

import json
import sys


def number(value):
    return f"{value:g}" if value < 100 else f"{value:,.0f}"


def row(result):
    if "ratio" in result:
        measured, unit = result["ratio"], "×"
        against = result["against"]
    else:
        measured, unit = result["value"], result["unit"]
        against = result.get("against", "–")
    if "atLeast" in result:
        goal, met = f"≥ {number(result['atLeast'])} {unit}", measured >= result["atLeast"]
    elif "atMost" in result:
        goal, met = f"≤ {number(result['atMost'])} {unit}", measured <= result["atMost"]
    else:
        goal, met = "–", None
    verdict = {True: "met", False: "MISSED", None: ""}[met]
    return [result["what"], against, f"{number(measured)} {unit}", goal, verdict]


def main():
    rows = [["what", "against", "measured", "goal", ""]] + [row(json.loads(line)) for line in sys.stdin if line.strip()]
    widths = [max(len(cells[column]) for cells in rows) for column in range(5)]
    for index, cells in enumerate(rows):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths)) + " |")
        if index == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


main()
