"""JSONLogic's operators with the semantics of json-logic-js, for what flagd's Python core does otherwise.

Each group replaces operators of the Python core. A difference to the core is accepted only if replacing one or more
groups turns the core's answer into ours: the groups are the list of differences that are known and wanted.
"""

import math
import re

UNDEFINED = object()


# Conversions

SPACE = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
DECIMAL = re.compile(r"[+-]?(Infinity|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)")


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_collection(value):
    return isinstance(value, (list, dict))


def text_to_number(text):
    text = text.strip(SPACE)
    if not text:
        return 0.0
    if re.fullmatch(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+", text):
        return float(int(text, 0))
    match = DECIMAL.fullmatch(text)
    return float(match.group()) if match else math.nan


def to_number(value):
    if value is UNDEFINED or isinstance(value, dict):
        return math.nan
    if value is None:
        return 0.0
    if isinstance(value, (bool, int, float)):
        return float(value)
    return text_to_number(to_string(value))


def parse_float(value):
    if value is UNDEFINED or value is None or isinstance(value, (bool, dict)):
        return math.nan
    if is_number(value):
        return float(value) + 0.0
    match = DECIMAL.match(to_string(value).strip(SPACE))
    return float(match.group()) if match else math.nan


def number_to_string(value):
    value = float(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "-Infinity" if value < 0 else "Infinity"
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    power = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= power <= 21:
        return sign + digits + "0" * (power - count)
    if 0 < power <= 21:
        return sign + digits[:power] + "." + digits[power:]
    if -6 < power <= 0:
        return sign + "0." + "0" * -power + digits
    exponent = ("e+" if power > 0 else "e-") + str(abs(power - 1))
    return sign + digits[0] + ("." + digits[1:] if count > 1 else "") + exponent


def join(values, separator):
    return separator.join("" if value is None or value is UNDEFINED else to_string(value) for value in values)


def to_string(value):
    if value is UNDEFINED:
        return "undefined"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "[object Object]"
    if isinstance(value, list):
        return join(value, ",")
    return number_to_string(value)


def units(text):
    encoded = text.encode("utf-16-be", "surrogatepass")
    return [encoded[index : index + 2] for index in range(0, len(encoded), 2)]


def from_units(values):
    return b"".join(values).decode("utf-16-be", "surrogatepass")


# Comparison


def strictly_equal(left, right):
    if is_number(left) and is_number(right):
        return float(left) == float(right)
    if is_collection(left) or is_collection(right):
        return left is right
    return type(left) is type(right) and left == right


def loosely_equal(left, right):
    nothing = (None, UNDEFINED)
    if any(left is one for one in nothing) or any(right is one for one in nothing):
        return any(left is one for one in nothing) and any(right is one for one in nothing)
    if is_collection(left) and is_collection(right):
        return left is right
    left = to_string(left) if is_collection(left) else left
    right = to_string(right) if is_collection(right) else right
    if isinstance(left, str) and isinstance(right, str):
        return left == right
    return to_number(left) == to_number(right)


def is_less(left, right, or_equal):
    left = to_string(left) if is_collection(left) else left
    right = to_string(right) if is_collection(right) else right
    if isinstance(left, str) and isinstance(right, str):
        left, right = units(left), units(right)
    else:
        left, right = to_number(left), to_number(right)
    return left <= right if or_equal else left < right


def ordering(or_equal, swapped):
    def compare(data=None, a=UNDEFINED, b=UNDEFINED, c=UNDEFINED, *_):
        def in_order(left, right):
            return is_less(right, left, or_equal) if swapped else is_less(left, right, or_equal)

        return in_order(a, b) and (c is UNDEFINED or in_order(b, c))

    return compare


# Arithmetic


def add(data=None, *values):
    total = 0.0
    for value in values:
        total += parse_float(value)
    return total


def multiply(data=None, *values):
    if not values:
        raise EngineError("* without arguments")
    if len(values) == 1:
        return values[0]
    product = parse_float(values[0])
    for value in values[1:]:
        product = parse_float(product) * parse_float(value)
    return product


def subtract(data=None, a=UNDEFINED, b=UNDEFINED, *_):
    return -to_number(a) if b is UNDEFINED else to_number(a) - to_number(b)


def divide(data=None, a=UNDEFINED, b=UNDEFINED, *_):
    a, b = to_number(a), to_number(b)
    if b != 0 or math.isnan(b):
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1, b)


def remainder(data=None, a=UNDEFINED, b=UNDEFINED, *_):
    a, b = to_number(a), to_number(b)
    if math.isnan(a) or math.isnan(b) or math.isinf(a) or b == 0:
        return math.nan
    return math.fmod(a, b)


def extreme(pick, empty):
    def find(data=None, *values):
        numbers = [to_number(value) for value in values]
        if any(math.isnan(number) for number in numbers):
            return math.nan
        return pick(numbers) if numbers else empty

    return find


# Texts and lists


def cat(data=None, *values):
    return join(values, "")


def substr(data=None, source=UNDEFINED, start=UNDEFINED, length=UNDEFINED, *_):
    text = units(to_string(source))

    def clamp(number, limit):
        return 0 if math.isnan(number) else int(max(-limit, min(limit, math.trunc(max(-1e18, min(1e18, number))))))

    start = clamp(to_number(start), len(text))
    rest = text[start + len(text) if start < 0 else start :]
    if length is UNDEFINED:
        return from_units(rest)
    number = to_number(length)
    if number < 0:
        end = len(rest) + number if is_number(length) else math.nan
        return from_units(rest[: max(clamp(end, len(rest)), 0)])
    return from_units(rest[: clamp(number, len(rest))])


def contains(data=None, needle=UNDEFINED, haystack=UNDEFINED, *_):
    if isinstance(haystack, str):
        return bool(haystack) and to_string(needle) in haystack
    if isinstance(haystack, list):
        return any(strictly_equal(needle, one) for one in haystack)
    return False


# The context


def follow(data, path):
    if path is UNDEFINED or path is None or path == "":
        return data
    for name in to_string(path).split("."):
        if isinstance(data, dict):
            data = data.get(name, UNDEFINED)
        elif isinstance(data, (list, str)):
            values = units(data) if isinstance(data, str) else data
            if name == "length":
                data = len(values)
            elif re.fullmatch(r"0|[1-9][0-9]{0,8}", name) and int(name) < len(values):
                data = from_units([values[int(name)]]) if isinstance(data, str) else values[int(name)]
            else:
                return UNDEFINED
        else:
            return UNDEFINED
    return data


def var(data=None, path=UNDEFINED, default=None, *_):
    value = follow(data, path)
    return default if value is UNDEFINED else value


def missing(data=None, *paths):
    if paths and isinstance(paths[0], list):
        paths = paths[0]
    absent = []
    for path in paths:
        value = var(data, *path) if isinstance(path, list) else var(data, path)
        if value is None or value == "":
            absent.append(path)
    return absent


def missing_some(data=None, needed=UNDEFINED, options=UNDEFINED, *_):
    if options is UNDEFINED or options is None:
        raise EngineError("missing_some without paths")
    absent = missing(data, *(options if isinstance(options, list) else [options]))
    count = len(options) if isinstance(options, list) else len(units(options)) if isinstance(options, str) else math.nan
    return [] if count - len(absent) >= to_number(needed) else absent


class EngineError(Exception):
    """What stops an evaluation in the reference too."""


# Each group: the operators it replaces, and what is known to differ. Further groups are switches of the evaluation
# itself, in reference.py.
GROUPS = {
    # The core holds that 0 == null and false == null, and that "" and " " are no numbers; it writes null within
    # lists, and numbers, in its own way.
    "loose equality": {
        "==": lambda data=None, a=UNDEFINED, b=UNDEFINED, *_: loosely_equal(a, b),
        "!=": lambda data=None, a=UNDEFINED, b=UNDEFINED, *_: not loosely_equal(a, b),
    },
    # The core compares with Python's ==: true === 1, [1] === [1].
    "strict equality": {
        "===": lambda data=None, a=UNDEFINED, b=UNDEFINED, *_: strictly_equal(a, b),
        "!==": lambda data=None, a=UNDEFINED, b=UNDEFINED, *_: not strictly_equal(a, b),
    },
    # The core compares a text with null or true as texts, "" as no number, texts by code points, and takes a third
    # argument that is null for none.
    "ordering": {
        "<": ordering(False, False), "<=": ordering(True, False), ">": ordering(False, True),
        ">=": ordering(True, True),
    },
    # The core takes null for 0 and true for 1, knows no number at the beginning of a text, and gives a single factor
    # back as a number.
    "sums and products": {"+": add, "*": multiply},
    # The core takes "" for no number and raises an exception for a division by 0.
    "differences and quotients": {"-": subtract, "/": divide},
    # The core's remainder has the divisor's sign; it raises an exception for 0.
    "remainders": {"%": remainder},
    # The core takes "" for no number, and orders what is no number by position.
    "extremes": {"min": extreme(min, math.inf), "max": extreme(max, -math.inf)},
    # The core writes null, true and numbers in its own way.
    "concatenation": {"cat": cat},
    # The core counts code points, starts before the beginning at the beginning, and writes numbers in its own way.
    "substrings": {"substr": substr},
    # The core compares elements with Python's ==: true is in [1], [1] in [[1]]; it writes null in its own way, and
    # finds an empty text in an empty one.
    "membership": {"in": contains},
    # The core applies a default also where there is null, and counts code points.
    "context": {"var": var, "missing": missing, "missing_some": missing_some},
}
