#!/usr/bin/env python3
"""Prints a flag file: make-flags.py COUNT [MARK].

Every second flag has targeting of a usual kind. MARK stands in the value of two flags, one with targeting (flag-0)
and one without (flag-1), so that a change can be recognized where it arrives.
"""

import json
import sys


def targeting(index):
    kinds = [
        {"if": [{"==": [{"var": "plan"}, "pro"]}, "on", "off"]},
        {"if": [{"ends_with": [{"var": "email"}, "@example.com"]}, "on", {"fractional": [["on", 50], ["off", 50]]}]},
        {"if": [{"sem_ver": [{"var": "device.version"}, ">=", "17.0.0"]}, "on", "off"]},
        {"if": [{"and": [{">=": [{"var": "age"}, 18]}, {"in": [{"var": "locale"}, ["de_DE", "fr_FR"]]}]}, "on", "off"]},
        {"fractional": [["on", 25], ["off", 75]]},
    ]
    return kinds[index // 2 % len(kinds)]


def main():
    count = int(sys.argv[1])
    mark = sys.argv[2] if len(sys.argv) > 2 else "mark-0"
    flags = {}
    for index in range(count):
        if index < 2:
            variants = {"on": mark, "off": mark + "-off"}
        elif index % 4 < 2:
            variants = {"on": True, "off": False}
        else:
            variants = {"on": f"value-{index}", "off": "none"}
        flag = {"state": "ENABLED", "variants": variants, "defaultVariant": "off", "metadata": {"revision": index}}
        if index % 2 == 0:
            flag["targeting"] = targeting(index)
        flags[f"flag-{index}"] = flag
    json.dump({"$schema": "https://flagd.dev/schema/v0/flags.json", "flags": flags}, sys.stdout, indent=2)


main()
