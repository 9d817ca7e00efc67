"""Evaluates cases with flagd's Python core, and with the core as it would be without its known differences.

Runs in a virtual environment that has the core. Reads lines {"case": CASE, "groups": [NAME…] or null} from standard
input and answers each with a line.
"""

import contextlib
import importlib
import io
import json
import logging
import sys

import javascript
from json_logic.apply import apply as core_apply
from openfeature.contrib.tools.flagd.core import FlagdCore
from openfeature.evaluation_context import EvaluationContext
from openfeature.exception import OpenFeatureError

core_module = importlib.import_module("openfeature.contrib.tools.flagd.core.flagd_core")
targeting_module = importlib.import_module("openfeature.contrib.tools.flagd.core.targeting.targeting")
custom_module = importlib.import_module("openfeature.contrib.tools.flagd.core.targeting.custom_ops")

apply_module = sys.modules["json_logic.apply"]

CORE_OPERATORS = dict(targeting_module.OPERATORS)
CORE_PARSE_FRACTION = custom_module._parse_fraction
IS_VERSION_3 = hasattr(custom_module, "normalize_numbers")


class Clock:
    now = 0

    @classmethod
    def time(cls):
        return cls.now


targeting_module.time = Clock

# What differs apart from operators, with the reason.
SWITCHES = {
    # The core takes the third argument of reduce as it is written, without evaluating it.
    "reduce's initial value",
    # The core wants a weight that was written as a whole number: not 2.0, not 4/2.
    "whole weights",
    # Without a bucketing value, the core looks for the targeting key in what an iterating operator passes, and raises
    # an exception if that is no object. Input that fractional cannot use gives null.
    "fractional among elements",
    # The core writes a number that a rule results in as Python does: 1.0, not 1.
    "numbers as results",
    # Where a rule makes the engine fail other than by an unknown operator, the core says GENERAL; the code for a
    # rule that cannot be evaluated is PARSE_ERROR.
    "engine failures",
}


def apply_with_initial_value(rule, data=None, operations=None):
    """The core's evaluation, but for `reduce`, whose initial value is evaluated."""
    if isinstance(rule, dict) and list(rule) == ["reduce"] and isinstance(rule["reduce"], list):
        items, body, *initial = [*rule["reduce"], None, None][: max(2, len(rule["reduce"]))]
        if initial:
            rule = {"reduce": [items, body, apply_with_initial_value(initial[0], data, operations)]}
    return core_apply(rule, data, operations)


def without_literal_null_in_seed(rule):
    """In a bucketing value of version 3 we write null as the core does: "null"."""
    if isinstance(rule, list):
        return [without_literal_null_in_seed(part) for part in rule]
    if not isinstance(rule, dict) or len(rule) != 1:
        return rule
    (name, arguments), = rule.items()
    if name == "fractional" and isinstance(arguments, list) and arguments:
        first = arguments[0]
        if isinstance(first, dict) and list(first) == ["cat"]:
            parts = first["cat"] if isinstance(first["cat"], list) else [first["cat"]]
            first = {"cat for bucketing": [without_literal_null_in_seed(part) for part in parts]}
        else:
            first = without_literal_null_in_seed(first)
        return {name: [first, *(without_literal_null_in_seed(part) for part in arguments[1:])]}
    return {name: without_literal_null_in_seed(arguments)}


def parse_fraction(arg):
    if isinstance(arg, (tuple, list)) and len(arg) == 2 and isinstance(arg[1], float) and arg[1].is_integer():
        arg = [arg[0], int(arg[1])]
    return CORE_PARSE_FRACTION(arg)


def fractional(data, *arguments):
    needs_key = arguments and (isinstance(arguments[0], list) if IS_VERSION_3 else not isinstance(arguments[0], str))
    if needs_key and not isinstance(data, dict):
        return None
    return custom_module.fractional(data, *arguments)


@contextlib.contextmanager
def replaced(groups):
    """The core with some of its operators replaced."""
    operators = dict(CORE_OPERATORS)
    if "fractional among elements" in groups:
        operators["fractional"] = fractional
    for group in groups:
        operators.update(javascript.GROUPS.get(group, {}))

    def logic(rule, data, _):
        if IS_VERSION_3 and "concatenation" in groups:
            rule = without_literal_null_in_seed(rule)
            operators["cat for bucketing"] = lambda data=None, *values: "".join(map(javascript.to_string, values))
        if "context" in groups and data["targetingKey"] is None:
            # The core always sets it; a default applies only to what is not there.
            del data["targetingKey"]
        try:
            result = apply_module.apply(rule, data, operators)
        except javascript.EngineError as error:
            raise ReferenceError from error
        except (TypeError, ValueError, ArithmeticError, AttributeError, RecursionError) as error:
            if "engine failures" in groups:
                raise ReferenceError from error
            raise
        if "numbers as results" in groups and javascript.is_number(result):
            return javascript.number_to_string(result)
        return result

    custom_module._parse_fraction = parse_fraction if "whole weights" in groups else CORE_PARSE_FRACTION
    targeting_module.jsonLogic = logic
    # The core evaluates the parts of a rule through this name.
    apply_module.apply = apply_with_initial_value if "reduce's initial value" in groups else core_apply
    try:
        yield
    finally:
        apply_module.apply = core_apply
        targeting_module.jsonLogic = core_apply
        custom_module._parse_fraction = CORE_PARSE_FRACTION


def resolve(case):
    """What the core makes of a case."""
    Clock.now = case["now"]
    attributes = json.loads(json.dumps(case["context"]))
    context = EvaluationContext(attributes.pop("targetingKey", None), attributes)
    core = FlagdCore()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            core.set_flags(json.dumps(case["flags"]))
            details = core._resolve(case["key"], None, context)
    except OpenFeatureError as error:
        return {"reason": "ERROR", "errorCode": error.error_code.value}
    except Exception as error:  # What a provider over the core makes of any other exception.
        return {"reason": "ERROR", "errorCode": "GENERAL", "exception": repr(error)}
    result = {"reason": str(getattr(details.reason, "value", details.reason))}
    if details.variant is not None:
        result["variant"] = details.variant
        result["value"] = details.value
    return result


def main():
    logging.disable(logging.CRITICAL)
    for line in sys.stdin:
        request = json.loads(line)
        with replaced(request["groups"]) if request["groups"] else contextlib.nullcontext():
            print(json.dumps(resolve(request["case"])))


if __name__ == "__main__":
    main()
